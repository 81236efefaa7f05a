#!/usr/bin/env bash
# Starts or stops one daemon in the background. Names of pid and log files are Hadoop's:
#   $HADOOP_PID_DIR/hadoop-<ident>-<command>.pid
#   $HADOOP_LOG_DIR/hadoop-<ident>-<command>-<host>.log and .out, of which the last five are kept
# Variables: HADOOP_CONF_DIR HADOOP_LOG_DIR HADOOP_PID_DIR (/tmp) HADOOP_IDENT_STRING ($USER) HADOOP_NICENESS (0)
# HADOOP_STOP_TIMEOUT (5 seconds until kill -9) HADOOP_MASTER (host:path to rsync from) HADOOP_ROOT_LOGGER.

usage='Usage: hadoop-daemon.sh [--config <conf-dir>] [--hosts hostlistfile] (start|stop) <hadoop-command> <args...>'
if [ $# -le 1 ]; then
  echo "$usage"
  exit 1
fi

bin=$(cd -P -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")" > /dev/null && pwd -P)
# shellcheck source=bin/hadoop-config.sh
. "$bin/hadoop-config.sh"
if [ $# -le 1 ]; then
  echo "$usage"
  exit 1
fi
action=$1
command=$2
shift 2

name=hadoop-$HADOOP_IDENT_STRING-$command
pid_file=$HADOOP_PID_DIR/$name.pid
out=$HADOOP_LOG_DIR/$name-$HOSTNAME.out
export HADOOP_LOGFILE=$name-$HOSTNAME.log
export HADOOP_ROOT_LOGGER=${HADOOP_ROOT_LOGGER:-INFO,DRFA}
log=$HADOOP_LOG_DIR/$HADOOP_LOGFILE

# Sets `pid` and says whether that process lives and is this daemon: numbers are used again.
running() {
  [ -f "$pid_file" ] || return 1
  pid=$(< "$pid_file")
  [[ $pid =~ ^[0-9]+$ ]] && kill -0 "$pid" 2> /dev/null || return 1
  [ ! -r "/proc/$pid/cmdline" ] || tr '\0' ' ' < "/proc/$pid/cmdline" | grep -q -- "$command"
}

rotate() {
  local number
  [ -f "$1" ] || return 0
  for number in 4 3 2 1; do
    if [ -f "$1.$number" ]; then mv -f -- "$1.$number" "$1.$((number + 1))"; fi
  done
  mv -f -- "$1" "$1.1"
}

start() {
  local size=0
  mkdir -p -- "$HADOOP_PID_DIR" "$HADOOP_LOG_DIR" || howdah_fail 'cannot make HADOOP_PID_DIR or HADOOP_LOG_DIR; see above'
  [ -w "$HADOOP_LOG_DIR" ] || howdah_fail "HADOOP_LOG_DIR is $HADOOP_LOG_DIR: $USER may not write there"
  if running; then
    echo "$command running as process $pid. Stop it first."
    exit 1
  fi
  if [ -n "${HADOOP_MASTER:-}" ]; then
    echo "rsync from $HADOOP_MASTER"
    rsync -a -e ssh --delete --exclude=.git --exclude='logs/*' "$HADOOP_MASTER/" "$HOWDAH_HOME"
  fi
  rotate "$out"
  echo "starting $command, logging to $out"
  if [ -f "$log" ]; then size=$(wc -c < "$log"); fi
  cd "$HOWDAH_HOME" || exit 1
  nohup nice -n "${HADOOP_NICENESS:-0}" "$bin/hadoop" --config "$HADOOP_CONF_DIR" "$command" "$@" > "$out" 2>&1 < /dev/null &
  pid=$!
  echo "$pid" > "$pid_file"
  # One second, as Hadoop waits: what is wrong at the start shows by then.
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    sleep 0.1
    kill -0 "$pid" 2> /dev/null || break
  done
  head -- "$out"
  { echo "ulimit -a for user $USER"; ulimit -a; } >> "$out" 2>&1
  if ! kill -0 "$pid" 2> /dev/null; then
    rm -f -- "$pid_file"
    if [ -f "$log" ]; then tail -c "+$((size + 1))" -- "$log" | tail -n 5 >&2; fi
    echo "$command did not start; see $log" >&2
    exit 1
  fi
}

stop() {
  if ! running; then
    echo "no $command to stop"
    return
  fi
  echo "stopping $command"
  kill "$pid"
  local tenths=$((${HADOOP_STOP_TIMEOUT:-5} * 10))
  while kill -0 "$pid" 2> /dev/null; do
    if [ "$tenths" -le 0 ]; then
      echo "$command did not stop gracefully after ${HADOOP_STOP_TIMEOUT:-5} seconds: killing with kill -9"
      kill -9 "$pid"
      break
    fi
    sleep 0.1
    tenths=$((tenths - 1))
  done
  rm -f -- "$pid_file"
}

case $action in
  start) start "$@" ;;
  stop) stop ;;
  *)
    echo "$usage"
    exit 1
    ;;
esac

#!/usr/bin/env bash
# Runs a command on every host of the slaves file, all at once, through ssh; on this host, called localhost, without.
# Variables: HADOOP_SLAVES (the file; conf/slaves) HADOOP_SSH_OPTS HADOOP_SLAVE_SLEEP (seconds between two hosts).

usage='Usage: slaves.sh [--config confdir] command...'
if [ $# -le 0 ]; then
  echo "$usage"
  exit 1
fi

set -o pipefail
# What the caller names comes before what hadoop-env.sh names.
hosts=${HADOOP_SLAVES:-}
bin=$(cd -P -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")" > /dev/null && pwd -P)
# shellcheck source=bin/hadoop-config.sh
. "$bin/hadoop-config.sh"
hosts=${hosts:-${HADOOP_SLAVES:-$HADOOP_CONF_DIR/slaves}}
[ -r "$hosts" ] || howdah_fail "$hosts: no such file; name the hosts there, one a line"

# The command as one line for the other shell. As in Hadoop only spaces are quoted: what is a pipe, a semicolon or a quote
# to that shell is meant so.
words=
for word in "$@"; do
  words+=" ${word// /\\ }"
done

failed=0
running=()
while read -r host; do
  # shellcheck disable=SC2086
  case $host in
    localhost | 127.0.0.1) bash -c "$words" < /dev/null 2>&1 | sed "s/^/$host: /" & ;;
    *) ssh ${HADOOP_SSH_OPTS:-} "$host" "$words" < /dev/null 2>&1 | sed "s/^/$host: /" & ;;
  esac
  running+=($!)
  if [ -n "${HADOOP_SLAVE_SLEEP:-}" ]; then sleep "$HADOOP_SLAVE_SLEEP"; fi
done < <(sed 's/#.*$//; s/[[:space:]]//g; /^$/d' "$hosts")
for job in "${running[@]}"; do
  wait "$job" || failed=1
done
exit "$failed"

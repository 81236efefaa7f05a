# Read by the other scripts: where everything is. Takes --config DIR and --hosts FILE off the arguments.
#
#   HOWDAH_HOME      our root, the folder above bin/; computed, never taken from outside
#   HADOOP_CONF_DIR  --config, else as inherited, else conf/
#   HADOOP_PREFIX or HADOOP_HOME  as inherited: an installation of Hadoop 1.2.1 whose jars are used; else lib/
# Bash, no Java and no program of ours is started here.

this=${BASH_SOURCE[0]}
while [ -L "$this" ]; do
  target=$(readlink -- "$this")
  case $target in
    /*) this=$target ;;
    *) this=$(dirname -- "$this")/$target ;;
  esac
done
HOWDAH_HOME=$(cd -P -- "$(dirname -- "$this")/.." > /dev/null && pwd -P)
export HOWDAH_HOME

# One line to standard error, then the end.
howdah_fail() {
  printf '%s: %s\n' "${0##*/}" "$1" >&2
  exit "${2:-1}"
}

if [ "${1:-}" = --config ]; then
  [ $# -gt 1 ] || howdah_fail '--config needs the name of a directory'
  HADOOP_CONF_DIR=$2
  shift 2
  [ -d "$HADOOP_CONF_DIR" ] || howdah_fail "--config $HADOOP_CONF_DIR: no such directory"
fi
HADOOP_CONF_DIR=${HADOOP_CONF_DIR:-$HOWDAH_HOME/conf}
[ -d "$HADOOP_CONF_DIR" ] || howdah_fail "HADOOP_CONF_DIR is $HADOOP_CONF_DIR: no such directory; set it, or use --config DIR"
HADOOP_CONF_DIR=$(cd -- "$HADOOP_CONF_DIR" > /dev/null && pwd)
export HADOOP_CONF_DIR

if [ -z "${HADOOP_HOME_WARN_SUPPRESS:-}" ] && [ -n "${HADOOP_HOME:-}" ]; then
  printf 'Warning: $HADOOP_HOME is deprecated.\n\n' >&2
fi
export HADOOP_HOME_WARN_SUPPRESS=1

# shellcheck disable=SC1091
if [ -f "$HADOOP_CONF_DIR/hadoop-env.sh" ]; then
  . "$HADOOP_CONF_DIR/hadoop-env.sh"
fi

if [ "${1:-}" = --hosts ]; then
  [ $# -gt 1 ] || howdah_fail '--hosts needs the name of a file in the configuration directory'
  export HADOOP_SLAVES=$HADOOP_CONF_DIR/$2
  shift 2
fi

USER=${USER:-$(id -un)}
HOSTNAME=${HOSTNAME:-$(uname -n)}
HADOOP_IDENT_STRING=${HADOOP_IDENT_STRING:-$USER}
HADOOP_LOG_DIR=${HADOOP_LOG_DIR:-$HOWDAH_HOME/logs}
HADOOP_LOGFILE=${HADOOP_LOGFILE:-hadoop.log}
HADOOP_PID_DIR=${HADOOP_PID_DIR:-/tmp}
HADOOP_POLICYFILE=${HADOOP_POLICYFILE:-hadoop-policy.xml}
export USER HOSTNAME HADOOP_IDENT_STRING HADOOP_LOG_DIR HADOOP_LOGFILE HADOOP_PID_DIR HADOOP_POLICYFILE
# glibc gives each thread an arena of its own, which counts as virtual memory.
export MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX:-4}

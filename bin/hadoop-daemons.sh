#!/usr/bin/env bash
# Starts or stops one daemon on every host of the slaves file.

usage='Usage: hadoop-daemons.sh [--config confdir] [--hosts hostlistfile] [start|stop] command args...'
if [ $# -le 1 ]; then
  echo "$usage"
  exit 1
fi
bin=$(cd -P -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")" > /dev/null && pwd -P)
# shellcheck source=bin/hadoop-config.sh
. "$bin/hadoop-config.sh"
exec "$bin/slaves.sh" --config "$HADOOP_CONF_DIR" cd "$HOWDAH_HOME" \; "$bin/hadoop-daemon.sh" --config "$HADOOP_CONF_DIR" "$@"

#!/usr/bin/env bash
# Stops MapReduce: the JobTracker here first, as Hadoop does, then a TaskTracker on every host of conf/slaves.

bin=$(cd -P -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")" > /dev/null && pwd -P)
# shellcheck source=bin/hadoop-config.sh
. "$bin/hadoop-config.sh"

status=0
"$bin/hadoop-daemon.sh" --config "$HADOOP_CONF_DIR" stop jobtracker || status=1
"$bin/hadoop-daemons.sh" --config "$HADOOP_CONF_DIR" stop tasktracker || status=1
exit $status

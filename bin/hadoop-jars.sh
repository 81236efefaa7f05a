# Read by bin/hadoop: Java and the class path. HADOOP_CLASSPATH comes first, then the jars of an inherited
# installation, else those of lib/; one by one in name order, since the JVM's own order for lib/* can pair a JSP
# compiler with the wrong one.

# The jars of a folder, each after a colon. Of Hadoop's own only the core is for everybody: the class path of a child
# must not know the examples, or they would stand before what a user's jar brings under the same names.
howdah_jars_of() {
  local jar
  local LC_ALL=C
  for jar in "$1"/*.jar; do
    case ${jar##*/} in
      hadoop-core-*) ;;
      hadoop-*) continue ;;
    esac
    if [ -e "$jar" ]; then printf ':%s' "$jar"; fi
  done
}

# Hadoop's tools (distcp, archive), for the commands that need them.
howdah_tools_jar() {
  local installation jar
  installation=$(howdah_installation)
  for jar in "${installation:-$HOWDAH_HOME/lib}"/hadoop-tools-*.jar; do
    if [ -e "$jar" ]; then printf ':%s' "$jar"; fi
  done
}

# The root of the inherited installation, if there is one.
howdah_installation() {
  local root
  for root in "${HADOOP_PREFIX:-}" "${HADOOP_HOME:-}"; do
    if [ -n "$root" ] && compgen -G "$root/hadoop-core-*.jar" > /dev/null; then
      printf '%s' "$root"
      return
    fi
    if [ -n "$root" ] && compgen -G "$root/share/hadoop/hadoop-core-*.jar" > /dev/null; then
      printf '%s' "$root/share/hadoop"
      return
    fi
  done
}

# Sets HOWDAH_CLASSPATH: the configuration first, as Hadoop has it.
howdah_find_jars() {
  local installation
  installation=$(howdah_installation)
  HOWDAH_CLASSPATH=$HADOOP_CONF_DIR${HADOOP_CLASSPATH:+:$HADOOP_CLASSPATH}
  if [ -n "$installation" ]; then
    if [ -d "$installation/webapps" ]; then HOWDAH_CLASSPATH+=:$installation; fi
    HOWDAH_CLASSPATH+=$(howdah_jars_of "$installation")
    HOWDAH_CLASSPATH+=$(howdah_jars_of "$installation/lib")
    HOWDAH_CLASSPATH+=$(howdah_jars_of "$installation/lib/jsp-2.1")
    howdah_native=$installation/lib/native/Linux-amd64-64
  else
    HOWDAH_CLASSPATH+=$(howdah_jars_of "$HOWDAH_HOME/lib")
    howdah_native=$HOWDAH_HOME/lib/native/Linux-amd64-64
  fi
  HOWDAH_CLASSPATH+=${howdah_more_jars:-}
}

howdah_has_hadoop() {
  case $HOWDAH_CLASSPATH in
    *hadoop-core*) return 0 ;;
  esac
  [ -n "${HADOOP_CLASSPATH:-}" ]
}

# Sets JAVA, or ends with the way out.
howdah_find_java() {
  if [ -n "${JAVA_HOME:-}" ]; then
    JAVA=$JAVA_HOME/bin/java
    [ -x "$JAVA" ] || howdah_fail "JAVA_HOME is $JAVA_HOME: it has no bin/java; set it to a Java installation"
  else
    JAVA=$(command -v java) || howdah_fail 'Error: JAVA_HOME is not set, and no java is on the PATH; this command needs Java'
  fi
}

# Runs a class of the user's Hadoop jars in place of this shell: class, name of the command, its own options, arguments.
howdah_run_java() {
  local class=$1 command=$2 options=$3
  shift 3
  howdah_find_java
  howdah_find_jars
  howdah_has_hadoop || howdah_fail "$command needs Hadoop's jars; run bin/get-hadoop-jars, or set HADOOP_HOME to an installation of 1.2.1"
  local properties=(
    "-Dhadoop.log.dir=$HADOOP_LOG_DIR"
    "-Dhadoop.log.file=$HADOOP_LOGFILE"
    "-Dhadoop.home.dir=$HOWDAH_HOME"
    "-Dhadoop.id.str=$HADOOP_IDENT_STRING"
    "-Dhadoop.root.logger=${HADOOP_ROOT_LOGGER:-INFO,console}"
    "-Dhadoop.security.logger=${HADOOP_SECURITY_LOGGER:-INFO,NullAppender}"
    "-Dhadoop.policy.file=$HADOOP_POLICYFILE"
  )
  if [ -d "$howdah_native" ]; then
    properties+=("-Djava.library.path=$howdah_native")
    export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$howdah_native
  fi
  # Options are lists of words by Hadoop's own rule.
  # shellcheck disable=SC2086
  exec "$JAVA" "-Dproc_$command" "-Xmx${HADOOP_HEAPSIZE:-1000}m" ${HADOOP_OPTS:-} $options "${properties[@]}" \
    -classpath "$HOWDAH_CLASSPATH" "$class" "$@"
}

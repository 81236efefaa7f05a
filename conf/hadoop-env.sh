# Settings of this site, read by every script. All are optional.

# Java, for clients and children that need it; else the java on the PATH.
# export JAVA_HOME=/usr/lib/jvm/default-java

# An installation of Hadoop 1.2.1 whose jars are used; else those of lib/ (bin/get-hadoop-jars fills it).
# export HADOOP_PREFIX=/opt/hadoop-1.2.1

# More for the class path of clients and children.
# export HADOOP_CLASSPATH=

# Heap of Java clients, in MB; options of all Java programs, and of clients alone.
# export HADOOP_HEAPSIZE=1000
# export HADOOP_OPTS=
# export HADOOP_CLIENT_OPTS=

# Where logs and pid files go.
# export HADOOP_LOG_DIR=/var/log/hadoop
# export HADOOP_PID_DIR=/var/run/hadoop

# How ssh is called, and the pause between two hosts, when many are started.
# export HADOOP_SSH_OPTS="-o ConnectTimeout=1"
# export HADOOP_SLAVE_SLEEP=0.1

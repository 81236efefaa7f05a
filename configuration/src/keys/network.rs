//! RPC, security, web filters and topology.
//!
//! One row for each key: sentence, constant, type, name, default, whether a default file of 1.2.1 holds it, unit,
//! limits, later names, readers, effect, source.

use super::row::{keys, or_of_type};
use crate::registry::{Effect, Limits, Unit};

keys! {
    "Socket factory; SOCKS variant."
    HADOOP_RPC_SOCKET_FACTORY_CLASS_DEFAULT: String as "a Java class name" = "hadoop.rpc.socket.factory.class.default", Some("org.apache.hadoop.net.StandardSocketFactory"), true, None, Limits::Any,
        [], "common", JavaOnly, "NetUtils";
    "Per-protocol socket factory."
    HADOOP_RPC_SOCKET_FACTORY_CLASS: String as "a Java class name" = "hadoop.rpc.socket.factory.class.<Protocol>", None, false, None, Limits::Any,
        [], "common", JavaOnly, "NetUtils";
    "Socket factory to JobTracker."
    HADOOP_RPC_SOCKET_FACTORY_CLASS_JOB_SUBMISSION_PROTOCOL: String as "a Java class name" = "hadoop.rpc.socket.factory.class.JobSubmissionProtocol", None, false, None, Limits::Any,
        [], "client", JavaOnly, "NetUtils";
    "Socket factory to NameNode."
    HADOOP_RPC_SOCKET_FACTORY_CLASS_CLIENT_PROTOCOL: String as "a Java class name" = "hadoop.rpc.socket.factory.class.ClientProtocol", None, false, None, Limits::Any,
        [], "common", JavaOnly, "NetUtils";
    "SOCKS proxy host:port."
    HADOOP_SOCKS_SERVER: String as "host:port" = "hadoop.socks.server", None, false, None, Limits::Any,
        [], "client", JavaOnly, "SocksSocketFactory";
    "SASL quality of protection."
    HADOOP_RPC_PROTECTION: String as "a word" = "hadoop.rpc.protection", Some("authentication"), false, None, Limits::Words(&["authentication", "integrity", "privacy"]),
        [], "common", Behaviour, "SaslRpcServer";
    "Simple or kerberos."
    HADOOP_SECURITY_AUTHENTICATION: String as "a word" = "hadoop.security.authentication", Some("simple"), true, None, Limits::Words(&["simple", "kerberos"]),
        [], "common", Behaviour, "CommonConfigurationKeys";
    "Service-level ACLs from hadoop-policy.xml."
    HADOOP_SECURITY_AUTHORIZATION: bool = "hadoop.security.authorization", Some("false"), true, None, Limits::Any,
        [], "JT,TT", Behaviour, "CommonConfigurationKeys";
    "Service list."
    HADOOP_SECURITY_AUTHORIZATION_POLICYPROVIDER: String as "a Java class name" = "hadoop.security.authorization.policyprovider", Some("org.apache.hadoop.mapred.MapReducePolicyProvider"), false, None, Limits::Any,
        [], "JT,TT", JavaOnly, "PolicyProvider";
    "Policy file name (system property)."
    HADOOP_POLICY_FILE: String as "a file" = "hadoop.policy.file", Some("hadoop-policy.xml"), false, None, Limits::Any,
        [], "JT,TT", Behaviour, "ServiceAuthorizationManager";
    "User to groups lookup."
    HADOOP_SECURITY_GROUP_MAPPING: String as "a Java class name" = "hadoop.security.group.mapping", Some("org.apache.hadoop.security.ShellBasedUnixGroupsMapping"), true, None, Limits::Any,
        [], "JT,TT", Behaviour, "CommonConfigurationKeys";
    "Group cache life."
    HADOOP_SECURITY_GROUPS_CACHE_SECS: i64 = "hadoop.security.groups.cache.secs", Some("300"), false, Seconds, Limits::Any,
        [], "JT,TT", Tuning, "Groups";
    "Principal to user rules."
    HADOOP_SECURITY_AUTH_TO_LOCAL: String = "hadoop.security.auth_to_local", Some("DEFAULT"), false, None, Limits::Any,
        [], "common", Behaviour, "KerberosName";
    "Admins only for /conf /jmx /stacks."
    HADOOP_SECURITY_INSTRUMENTATION_REQUIRES_ADMIN: bool = "hadoop.security.instrumentation.requires.admin", Some("false"), true, None, Limits::Any,
        [], "JT,TT", Behaviour, "CommonConfigurationKeys";
    "Token service by IP or host."
    HADOOP_SECURITY_TOKEN_SERVICE_USE_IP: bool = "hadoop.security.token.service.use_ip", Some("true"), true, None, Limits::Any,
        [], "common", Behaviour, "CommonConfigurationKeys";
    "KSSL instead of SPNEGO."
    HADOOP_SECURITY_USE_WEAK_HTTP_CRYPTO: bool = "hadoop.security.use-weak-http-crypto", Some("false"), true, None, Limits::Any,
        [], "common", Behaviour, "CommonConfigurationKeys";
    "Uid to name cache for ownership checks."
    HADOOP_SECURITY_UID_CACHE_SECS: i64 = "hadoop.security.uid.cache.secs", Some("14400"), true, Seconds, Limits::Any,
        [], "TT", Tuning, "NativeIO";
    "Principal expected for admin RPC."
    HADOOP_SECURITY_SERVICE_USER_NAME_KEY: String = "hadoop.security.service.user.name.key", None, false, None, Limits::Any,
        [], "client", Behaviour, "CommonConfigurationKeys";
    "Kinit for ticket renewal."
    HADOOP_KERBEROS_KINIT_COMMAND: String as "a path" = "hadoop.kerberos.kinit.command", Some("/usr/kerberos/bin/kinit"), false, None, Limits::Any,
        [], "common", JavaOnly, "UserGroupInformation";
    "Groups the proxy may impersonate."
    HADOOP_PROXYUSER_GROUPS: Vec<String> = "hadoop.proxyuser.<user>.groups", None, false, None, Limits::Any,
        [], "JT", Behaviour, "ProxyUsers";
    "Hosts the proxy may come from."
    HADOOP_PROXYUSER_HOSTS: Vec<String> = "hadoop.proxyuser.<user>.hosts", None, false, None, Limits::Any,
        [], "JT", Behaviour, "ProxyUsers";
    "Web filters to install."
    HADOOP_HTTP_FILTER_INITIALIZERS: Vec<String> = "hadoop.http.filter.initializers", None, false, None, Limits::Any,
        [], "JT,TT", Behaviour, "HttpServer";
    "Simple, kerberos or class."
    HADOOP_HTTP_AUTHENTICATION_TYPE: String as "a word" = "hadoop.http.authentication.type", Some("simple"), true, None, Limits::Any,
        [], "JT,TT", Behaviour, "AuthenticationFilterInitializer";
    "Auth cookie life."
    HADOOP_HTTP_AUTHENTICATION_TOKEN_VALIDITY: i32 = "hadoop.http.authentication.token.validity", Some("36000"), true, Seconds, Limits::Any,
        [], "JT,TT", Behaviour, "AuthenticationFilterInitializer";
    "Cookie signing secret."
    HADOOP_HTTP_AUTHENTICATION_SIGNATURE_SECRET_FILE: String as "a file" = "hadoop.http.authentication.signature.secret.file", Some("${user.home}/hadoop-http-auth-signature-secret"), true, None, Limits::Any,
        [], "JT,TT", Behaviour, "AuthenticationFilterInitializer";
    "Cookie domain."
    HADOOP_HTTP_AUTHENTICATION_COOKIE_DOMAIN: String = "hadoop.http.authentication.cookie.domain", None, false, None, Limits::Any,
        [], "JT,TT", Behaviour, "AuthenticationFilterInitializer";
    "Cookie path."
    HADOOP_HTTP_AUTHENTICATION_COOKIE_PATH: String = "hadoop.http.authentication.cookie.path", Some("/"), false, None, Limits::Any,
        [], "JT,TT", Behaviour, "AuthenticationFilterInitializer";
    "Accept requests without user.name."
    HADOOP_HTTP_AUTHENTICATION_SIMPLE_ANONYMOUS_ALLOWED: bool = "hadoop.http.authentication.simple.anonymous.allowed", Some("true"), true, None, Limits::Any,
        [], "JT,TT", Behaviour, "AuthenticationFilterInitializer";
    "SPNEGO principal."
    HADOOP_HTTP_AUTHENTICATION_KERBEROS_PRINCIPAL: String = "hadoop.http.authentication.kerberos.principal", Some("HTTP/localhost@LOCALHOST"), true, None, Limits::Any,
        [], "JT,TT", Behaviour, "AuthenticationFilterInitializer";
    "SPNEGO keytab."
    HADOOP_HTTP_AUTHENTICATION_KERBEROS_KEYTAB: String as "a file" = "hadoop.http.authentication.kerberos.keytab", Some("${user.home}/hadoop.keytab"), true, None, Limits::Any,
        [], "JT,TT", Behaviour, "AuthenticationFilterInitializer";
    "Follow symlinks under /logs."
    HADOOP_JETTY_LOGS_SERVE_ALIASES: bool = "hadoop.jetty.logs.serve.aliases", Some("true"), true, None, Limits::Any,
        [], "JT,TT", Behaviour, "CommonConfigurationKeys";
    "Connections before idle ones are culled."
    IPC_CLIENT_IDLETHRESHOLD: i32 = "ipc.client.idlethreshold", Some("4000"), true, None, Limits::Any,
        [], "JT,TT", Tuning, "Server";
    "Idle connections culled at once."
    IPC_CLIENT_KILL_MAX: i32 = "ipc.client.kill.max", Some("10"), true, None, Limits::Any,
        [], "JT,TT", Tuning, "Server";
    "Client closes idle connection."
    IPC_CLIENT_CONNECTION_MAXIDLETIME: i32 = "ipc.client.connection.maxidletime", Some("10000"), true, Millis, Limits::Any,
        [], "common", Tuning, "Client";
    "Connect retries."
    IPC_CLIENT_CONNECT_MAX_RETRIES: i32 = "ipc.client.connect.max.retries", Some("10"), true, None, Limits::Any,
        [], "common", Behaviour, "Client";
    "Disable Nagle on clients."
    IPC_CLIENT_TCPNODELAY: bool = "ipc.client.tcpnodelay", Some("false"), true, None, Limits::Any,
        [], "common", Tuning, "Client";
    "Ping instead of timing out."
    IPC_CLIENT_PING: bool = "ipc.client.ping", Some("true"), false, None, Limits::Any,
        [], "common", Behaviour, "Client";
    "Secure client to insecure server."
    IPC_CLIENT_FALLBACK_TO_SIMPLE_AUTH_ALLOWED: bool = "ipc.client.fallback-to-simple-auth-allowed", Some("false"), true, None, Limits::Any,
        [], "client", Behaviour, "CommonConfigurationKeys";
    "Ping period and read timeout."
    IPC_PING_INTERVAL: i32 = "ipc.ping.interval", Some("60000"), false, Millis, Limits::Whole(1, 2147483647),
        [], "common", Tuning, "Client";
    "Accept backlog."
    IPC_SERVER_LISTEN_QUEUE_SIZE: i32 = "ipc.server.listen.queue.size", Some("128"), true, None, Limits::Whole(1, 2147483647),
        [], "JT,TT", Tuning, "Server";
    "Queued calls per handler."
    IPC_SERVER_HANDLER_QUEUE_SIZE: i32 = "ipc.server.handler.queue.size", Some("100"), false, None, Limits::Whole(1, 2147483647),
        [], "JT,TT", Tuning, "Server";
    "Response buffer trimmed above this."
    IPC_SERVER_MAX_RESPONSE_SIZE: i32 = "ipc.server.max.response.size", Some("1048576"), false, None, Limits::Any,
        [], "JT,TT", Tuning, "Server";
    "RPC reader threads."
    IPC_SERVER_READ_THREADPOOL_SIZE: i32 = "ipc.server.read.threadpool.size", Some("1"), false, None, Limits::Whole(1, 2147483647),
        [], "JT,TT", Tuning, "CommonConfigurationKeys";
    "Disable Nagle on servers."
    IPC_SERVER_TCPNODELAY: bool = "ipc.server.tcpnodelay", Some("false"), true, None, Limits::Any,
        [], "JT,TT", Tuning, "Server";
    "Topology class."
    NET_TOPOLOGY_IMPL: String as "a Java class name" = "net.topology.impl", Some("org.apache.hadoop.net.NetworkTopology"), true, None, Limits::Any,
        [], "JT", Behaviour, "JobTracker";
    "Host to rack mapping."
    TOPOLOGY_NODE_SWITCH_MAPPING_IMPL: String as "a Java class name" = "topology.node.switch.mapping.impl", Some("org.apache.hadoop.net.ScriptBasedMapping"), true, None, Limits::Any,
        ["net.topology.node.switch.mapping.impl"], "JT", Behaviour, "JobTracker";
    "Rack script; empty = default rack."
    TOPOLOGY_SCRIPT_FILE_NAME: String as "a path" = "topology.script.file.name", None, false, None, Limits::Any,
        ["net.topology.script.file.name"], "JT", Behaviour, "ScriptBasedMapping";
    "Hosts per script call."
    TOPOLOGY_SCRIPT_NUMBER_ARGS: i32 = "topology.script.number.args", Some("100"), true, None, Limits::Whole(1, 2147483647),
        ["net.topology.script.number.args"], "JT", Behaviour, "ScriptBasedMapping";
    "Who may use the client protocol."
    SECURITY_JOB_SUBMISSION_PROTOCOL_ACL: String as "users and groups, or *" = "security.job.submission.protocol.acl", Some("*"), false, None, Limits::Any,
        ["security.job.client.protocol.acl"], "JT", Behaviour, "MapReducePolicyProvider";
    "Who may heartbeat."
    SECURITY_INTER_TRACKER_PROTOCOL_ACL: String as "users and groups, or *" = "security.inter.tracker.protocol.acl", Some("*"), false, None, Limits::Any,
        [], "JT", Behaviour, "MapReducePolicyProvider";
    "Who may use the umbilical."
    SECURITY_TASK_UMBILICAL_PROTOCOL_ACL: String as "users and groups, or *" = "security.task.umbilical.protocol.acl", Some("*"), false, None, Limits::Any,
        ["security.job.task.protocol.acl"], "TT", Behaviour, "MapReducePolicyProvider";
    "Who may refresh queues/nodes, safe mode."
    SECURITY_ADMIN_OPERATIONS_PROTOCOL_ACL: String as "users and groups, or *" = "security.admin.operations.protocol.acl", Some("*"), false, None, Limits::Any,
        [], "JT", Behaviour, "MapReducePolicyProvider";
    "Who may reload policy."
    SECURITY_REFRESH_POLICY_PROTOCOL_ACL: String as "users and groups, or *" = "security.refresh.policy.protocol.acl", Some("*"), false, None, Limits::Any,
        [], "JT", Behaviour, "MapReducePolicyProvider";
    "Who may refresh groups and proxies."
    SECURITY_REFRESH_USERTOGROUPS_MAPPINGS_PROTOCOL_ACL: String as "users and groups, or *" = "security.refresh.usertogroups.mappings.protocol.acl", Some("*"), false, None, Limits::Any,
        [], "JT", Behaviour, "MapReducePolicyProvider";
    "HTTPS keystore."
    SSL_SERVER_KEYSTORE_LOCATION: String as "a path" = "ssl.server.keystore.location", None, false, None, Limits::Any,
        [], "JT,TT", Behaviour, "HttpServer";
    "HTTPS keystore password."
    SSL_SERVER_KEYSTORE_PASSWORD: String = "ssl.server.keystore.password", Some(""), false, None, Limits::Any,
        [], "JT,TT", Behaviour, "HttpServer";
    "HTTPS key password."
    SSL_SERVER_KEYSTORE_KEYPASSWORD: String = "ssl.server.keystore.keypassword", Some(""), false, None, Limits::Any,
        [], "JT,TT", Behaviour, "HttpServer";
    "Keystore type."
    SSL_SERVER_KEYSTORE_TYPE: String = "ssl.server.keystore.type", Some("jks"), false, None, Limits::Any,
        [], "JT,TT", Behaviour, "HttpServer";
    "HTTPS trust store."
    SSL_SERVER_TRUSTSTORE_LOCATION: String as "a path" = "ssl.server.truststore.location", Some(""), false, None, Limits::Any,
        [], "JT,TT", Behaviour, "HttpServer";
    "Trust store password."
    SSL_SERVER_TRUSTSTORE_PASSWORD: String = "ssl.server.truststore.password", Some(""), false, None, Limits::Any,
        [], "JT,TT", Behaviour, "HttpServer";
    "Trust store type."
    SSL_SERVER_TRUSTSTORE_TYPE: String = "ssl.server.truststore.type", Some("jks"), false, None, Limits::Any,
        [], "JT,TT", Behaviour, "HttpServer";
    "Distcp SSL keystore."
    SSL_CLIENT_KEYSTORE_LOCATION: String as "a path" = "ssl.client.keystore.location", None, false, None, Limits::Any,
        [], "client,child", JavaOnly, "ProxyUtil";
    "Distcp SSL trust store."
    SSL_CLIENT_TRUSTSTORE_LOCATION: String as "a path" = "ssl.client.truststore.location", None, false, None, Limits::Any,
        [], "client,child", JavaOnly, "ProxyUtil";
}

//! How a client connects: who it says it is, how long it tries.

use std::time::Duration;

use types::Token;

/// Settings of a client; the defaults are Hadoop 1.2.1's (section `ipc.client.*` of its core-default.xml).
#[derive(Debug, Clone)]
pub struct ClientOptions {
    /// The user in the connection header; not sent where a token speaks.
    pub user: String,
    /// Who really calls, when `user` is impersonated.
    pub real_user: Option<String>,
    /// Authenticates by DIGEST-MD5 with this token.
    pub token: Option<Token>,
    /// Lets a server without security talk plainly although a token was offered.
    pub fallback_to_simple: bool,
    /// How long one attempt to connect may take.
    pub connect_timeout: Duration,
    /// How often a refused connection is tried again.
    pub connect_retries: u32,
    /// How often an attempt that timed out is tried again.
    pub connect_timeout_retries: u32,
    /// The pause between attempts.
    pub connect_retry_interval: Duration,
    /// After so long a silence, while calls wait, a ping is sent.
    pub ping_interval: Duration,
    /// The most a call may take; Hadoop's clients wait for ever.
    pub call_timeout: Option<Duration>,
}

impl Default for ClientOptions {
    fn default() -> Self {
        ClientOptions {
            user: String::new(),
            real_user: None,
            token: None,
            fallback_to_simple: false,
            connect_timeout: Duration::from_secs(20),
            connect_retries: 10,
            connect_timeout_retries: 45,
            connect_retry_interval: Duration::from_secs(1),
            ping_interval: Duration::from_secs(60),
            call_timeout: None,
        }
    }
}

impl ClientOptions {
    /// The defaults, for that user.
    pub fn for_user(user: impl Into<String>) -> Self {
        ClientOptions { user: user.into(), ..Self::default() }
    }
}

//! The beginning of a connection: magic, version, authentication, header (Hadoop 1.2.1: ipc.Server.Connection,
//! processConnectionHeader, saslReadAndProcess).

use std::io;
use std::net::SocketAddr;

use hadoop_io::DataInput;
use tokio::io::AsyncRead;
use types::{ExceptionKind, RemoteException};
use wire::Writable;
use wire::exceptions::ErrorText;
use wire::ipc::{AuthMethod, ConnectionHeader, MAGIC, SaslReply, VERSION};

use super::frames::FrameReader;
use super::replies::Replies;
use super::{Caller, SecretManager, Security, Shared, TokenOwner, odd_peers};
use crate::digest_md5::ServerExchange;

/// Why a connection does not come about.
pub(super) enum Refusal {
    /// It is closed without a word.
    Silent(String),
    /// The peer was told; the connection is closed once that has reached it.
    Told(String),
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Refusal::Silent(error.to_string())
    }
}

/// Reads a connection's beginning and answers it; the caller may call then.
pub(super) async fn shake_hands<R: AsyncRead + Unpin>(
    reader: &mut FrameReader<R>,
    replies: &Replies,
    address: SocketAddr,
    shared: &Shared,
) -> Result<Caller, Refusal> {
    let about = &shared.options.about;
    match &reader.array::<4>().await? {
        MAGIC => (),
        b"GET " => return Err(odd_peers::answer_http(reader, replies, about).await),
        other => return Err(Refusal::Silent(format!("{other:02x?} is no Hadoop RPC"))),
    }
    let [version] = reader.array().await?;
    if version != VERSION {
        return Err(odd_peers::answer_version(replies, version, about).await);
    }
    let [auth] = reader.array().await?;
    let auth = AuthMethod::from_code(auth).ok_or_else(|| Refusal::Silent(format!("unknown authentication {auth}")))?;
    let owner = authenticate(reader, replies, auth, &shared.options.security).await?;
    let header = reader.setup_frame().await?;
    let caller = caller_of(&header, owner, address)?;
    if !shared.service.serves(&caller.protocol) {
        return Err(Refusal::Silent(format!("unknown protocol {}", caller.protocol)));
    }
    if let Err(error) = shared.service.authorize(caller.clone()).await {
        replies.fatal(&error).await;
        return Err(Refusal::Told(error.message));
    }
    Ok(caller)
}

/// Authenticates the peer; the owner of its token where it had to show one.
async fn authenticate<R: AsyncRead + Unpin>(
    reader: &mut FrameReader<R>,
    replies: &Replies,
    auth: AuthMethod,
    security: &Security,
) -> Result<Option<TokenOwner>, Refusal> {
    match (security, auth) {
        (Security::Simple, AuthMethod::Simple) => Ok(None),
        (Security::Simple, _) => {
            replies.raw(&SaslReply::SwitchToSimple.to_bytes()).await;
            // The peer's first token is on its way already.
            reader.setup_frame().await?;
            Ok(None)
        }
        (Security::Tokens(_), AuthMethod::Simple) => {
            let error = RemoteException::new(
                ExceptionKind::AccessControl,
                "Authorization (hadoop.security.authorization) is enabled but authentication \
                 (hadoop.security.authentication) is configured as simple. Please configure another method like \
                 kerberos or digest.",
            );
            replies.fatal(&error).await;
            Err(Refusal::Told(error.message))
        }
        (Security::Tokens(secrets), AuthMethod::Digest) => digest(reader, replies, secrets.as_ref()).await.map(Some),
        (Security::Tokens(_), AuthMethod::Kerberos) => {
            let problem = "this server knows tokens (DIGEST-MD5) only, not Kerberos";
            Err(refuse_token(replies, RemoteException::new(ExceptionKind::Sasl, problem)).await)
        }
    }
}

async fn digest<R: AsyncRead + Unpin>(
    reader: &mut FrameReader<R>,
    replies: &Replies,
    secrets: &dyn SecretManager,
) -> Result<TokenOwner, Refusal> {
    if !reader.setup_frame().await?.is_empty() {
        let problem = "DIGEST-MD5: Initial response must not be sent";
        return Err(refuse_token(replies, RemoteException::new(ExceptionKind::Sasl, problem)).await);
    }
    let exchange = ServerExchange::start();
    replies.raw(&SaslReply::Token(exchange.challenge()).to_bytes()).await;
    let response = reader.setup_frame().await?;
    let mut owner = None;
    let checked = exchange.check(&response, |identifier| {
        let found = secrets.owner(identifier)?;
        let password = found.password.clone();
        owner = Some(found);
        Ok(password)
    });
    match (checked, owner) {
        (Ok((_, last)), Some(owner)) => {
            replies.raw(&SaslReply::Token(last).to_bytes()).await;
            Ok(owner)
        }
        (Ok(_), None) => Err(Refusal::Silent("a token without an owner".to_owned())),
        (Err(error), _) => Err(refuse_token(replies, error).await),
    }
}

async fn refuse_token(replies: &Replies, error: RemoteException) -> Refusal {
    replies.raw(&SaslReply::Refused(ErrorText::of_fatal(&error)).to_bytes()).await;
    Refusal::Told(error.message)
}

fn caller_of(header: &[u8], owner: Option<TokenOwner>, address: SocketAddr) -> Result<Caller, Refusal> {
    let mut input = DataInput::new(header);
    let header = ConnectionHeader::read(&mut input).map_err(|error| Refusal::Silent(error.to_string()))?;
    let caller = match owner {
        Some(owner) => {
            if header.user.as_ref().is_some_and(|user| *user != owner.user) {
                let claim = header.user.unwrap_or_default();
                return Err(Refusal::Silent(format!("the token is {}'s, the header says {claim}", owner.user)));
            }
            let real_user = owner.real_user;
            Caller { user: owner.user, real_user, protocol: header.protocol, by_token: true, address }
        }
        None => Caller {
            user: header.user.unwrap_or_default(),
            real_user: header.real_user,
            protocol: header.protocol,
            by_token: false,
            address,
        },
    };
    Ok(caller)
}

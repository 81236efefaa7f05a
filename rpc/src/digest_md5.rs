//! SASL DIGEST-MD5 with tokens, quality of protection `auth` (RFC 2831; Hadoop 1.2.1: security.SaslRpcServer,
//! SaslRpcClient). The user name is the Base64 of the token's identifier, the password the Base64 of its password.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use md5::{Digest, Md5};
use types::{ExceptionKind, RemoteException, Token};

const REALM: &str = "default";
/// Java's protocol name is null here and its server name `default`; Java writes that out.
const DIGEST_URI: &str = "null/default";
const NONCE_COUNT: &str = "00000001";
const QOP: &str = "auth";

/// The directives of a challenge or a response, in order.
struct Directives(Vec<(String, String)>);

impl Directives {
    fn parse(text: &[u8]) -> Option<Directives> {
        let text = std::str::from_utf8(text).ok()?;
        let mut found = Vec::new();
        let mut rest = text.trim_start_matches([',', ' ']);
        while !rest.is_empty() {
            let (key, after) = rest.split_once('=')?;
            let (value, after) = if let Some(quoted) = after.strip_prefix('"') {
                unquote(quoted)?
            } else {
                let end = after.find(',').unwrap_or(after.len());
                (after[..end].trim().to_owned(), &after[end..])
            };
            found.push((key.trim().to_ascii_lowercase(), value));
            rest = after.trim_start_matches([',', ' ']);
        }
        Some(Directives(found))
    }

    fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }
}

/// Reads up to the closing quote; a backslash takes the next character as it is.
fn unquote(quoted: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut chars = quoted.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((value, &quoted[at + 1..])),
            '\\' => value.push(chars.next()?.1),
            _ => value.push(c),
        }
    }
    None
}

fn md5(parts: &[&[u8]]) -> [u8; 16] {
    let mut hash = Md5::new();
    for part in parts {
        hash.update(part);
    }
    hash.finalize().into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What both sides compute a proof from.
struct Exchange<'a> {
    user: &'a str,
    realm: &'a str,
    password: &'a str,
    nonce: &'a str,
    cnonce: &'a str,
    nc: &'a str,
    qop: &'a str,
    digest_uri: &'a str,
    authzid: Option<&'a str>,
}

impl Exchange<'_> {
    /// The client's proof for `method` AUTHENTICATE, the server's for an empty one.
    fn proof(&self, method: &str) -> String {
        let secret = md5(&[self.user.as_bytes(), b":", self.realm.as_bytes(), b":", self.password.as_bytes()]);
        let mut a1: Vec<&[u8]> = vec![&secret, b":", self.nonce.as_bytes(), b":", self.cnonce.as_bytes()];
        if let Some(authzid) = self.authzid {
            a1.extend([b":".as_slice(), authzid.as_bytes()]);
        }
        let a1 = hex(&md5(&a1));
        let a2 = hex(&md5(&[method.as_bytes(), b":", self.digest_uri.as_bytes()]));
        let text = [a1.as_str(), self.nonce, self.nc, self.cnonce, self.qop, a2.as_str()].join(":");
        hex(&md5(&[text.as_bytes()]))
    }
}

/// Compares in a time that does not depend on where the texts differ.
fn same(left: &str, right: &str) -> bool {
    left.len() == right.len() && left.bytes().zip(right.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

fn sasl(problem: &str) -> RemoteException {
    RemoteException::new(ExceptionKind::Sasl, format!("DIGEST-MD5: {problem}"))
}

fn new_nonce() -> String {
    BASE64.encode(crate::secret::random_bytes::<30>())
}

/// The server's side of one exchange.
pub struct ServerExchange {
    nonce: String,
}

impl ServerExchange {
    /// Starts an exchange with a fresh nonce.
    pub fn start() -> Self {
        Self::with_nonce(new_nonce())
    }

    fn with_nonce(nonce: String) -> Self {
        ServerExchange { nonce }
    }

    /// The challenge to send.
    pub fn challenge(&self) -> Vec<u8> {
        format!("realm=\"{REALM}\",nonce=\"{}\",qop=\"{QOP}\",charset=utf-8,algorithm=md5-sess", self.nonce)
            .into_bytes()
    }

    /// Checks the client's response. `password_of` gives a password by identifier bytes. On success: the identifier and
    /// the `rspauth` message to send.
    pub fn check(
        &self,
        response: &[u8],
        password_of: impl FnOnce(&[u8]) -> Result<Vec<u8>, RemoteException>,
    ) -> Result<(Vec<u8>, Vec<u8>), RemoteException> {
        let violation = |what: &str| sasl(&format!("digest response format violation. {what}"));
        let directives = Directives::parse(response).ok_or_else(|| violation("Malformed response."))?;
        let need = |key: &str| directives.get(key).ok_or_else(|| violation(&format!("Missing {key}.")));
        let user = need("username")?;
        let exchange_realm = directives.get("realm").unwrap_or("");
        if need("nonce")? != self.nonce {
            return Err(violation("Mismatched nonce."));
        }
        if need("nc")? != NONCE_COUNT {
            return Err(violation("Nonce count is not 1."));
        }
        if directives.get("qop").unwrap_or(QOP) != QOP {
            return Err(violation("Mismatched quality of protection."));
        }
        let digest_uri = need("digest-uri")?;
        if digest_uri != DIGEST_URI {
            return Err(violation("Mismatched digest-uri."));
        }
        let authzid = directives.get("authzid").filter(|id| !id.is_empty());
        if authzid.is_some_and(|id| id != user) {
            return Err(violation("Mismatched authorization id."));
        }
        let identifier = BASE64.decode(user).map_err(|_| violation("The user name is no token."))?;
        let password = BASE64.encode(password_of(&identifier)?);
        let exchange = Exchange {
            user,
            realm: exchange_realm,
            password: &password,
            nonce: &self.nonce,
            cnonce: need("cnonce")?,
            nc: NONCE_COUNT,
            qop: QOP,
            digest_uri,
            authzid,
        };
        if !same(&exchange.proof("AUTHENTICATE"), need("response")?) {
            return Err(violation("Mismatched response."));
        }
        Ok((identifier, format!("rspauth={}", exchange.proof("")).into_bytes()))
    }
}

/// The client's side of one exchange.
pub struct ClientExchange {
    user: String,
    password: String,
    cnonce: String,
    rspauth: Option<String>,
}

impl ClientExchange {
    /// Starts an exchange that proves the token.
    pub fn start(token: &Token) -> Self {
        Self::with_cnonce(token, new_nonce())
    }

    fn with_cnonce(token: &Token, cnonce: String) -> Self {
        let (user, password) = (BASE64.encode(&token.identifier), BASE64.encode(&token.password));
        ClientExchange { user, password, cnonce, rspauth: None }
    }

    /// The response to the server's challenge.
    pub fn respond(&mut self, challenge: &[u8]) -> Result<Vec<u8>, String> {
        let directives = Directives::parse(challenge).ok_or("the challenge is malformed")?;
        let nonce = directives.get("nonce").ok_or("the challenge has no nonce")?;
        let realm = directives.get("realm").unwrap_or(REALM);
        let offered = directives.get("qop").unwrap_or(QOP);
        if !offered.split(',').any(|qop| qop.trim() == QOP) {
            return Err(format!("the server wants protection \"{offered}\", this client offers \"{QOP}\""));
        }
        let exchange = Exchange {
            user: &self.user,
            realm,
            password: &self.password,
            nonce,
            cnonce: &self.cnonce,
            nc: NONCE_COUNT,
            qop: QOP,
            digest_uri: DIGEST_URI,
            authzid: None,
        };
        let response = format!(
            "charset=utf-8,username=\"{}\",realm=\"{realm}\",nonce=\"{nonce}\",nc={NONCE_COUNT},cnonce=\"{}\",\
             digest-uri=\"{DIGEST_URI}\",maxbuf=65536,response={},qop={QOP}",
            self.user,
            self.cnonce,
            exchange.proof("AUTHENTICATE"),
        );
        self.rspauth = Some(exchange.proof(""));
        Ok(response.into_bytes())
    }

    /// Whether the server knows the password too.
    pub fn accept(&self, last: &[u8]) -> Result<(), String> {
        let directives = Directives::parse(last).ok_or("the server's proof is malformed")?;
        match (directives.get("rspauth"), &self.rspauth) {
            (Some(theirs), Some(ours)) if same(theirs, ours) => Ok(()),
            _ => Err("the server does not know the token's password".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `sasl-digest-md5.json`, capture `sasl-authentication-ok`.
    const CHALLENGE: &str = "realm=\"default\",nonce=\"ceSKJS346AIHKkC4bZtWcYlclSN6AzX1Vd9tYcwc\",qop=\"auth\",\
                             charset=utf-8,algorithm=md5-sess";
    const RESPONSE: &str = "charset=utf-8,username=\"FWpvYl8yMDEzMDEwMTAwMDBfMDAwNw==\",realm=\"default\",\
                            nonce=\"ceSKJS346AIHKkC4bZtWcYlclSN6AzX1Vd9tYcwc\",nc=00000001,\
                            cnonce=\"goK0iolyyel8Mi6y3q7jyrqV19DrZF73V4HbVmvT\",digest-uri=\"null/default\",\
                            maxbuf=65536,response=f9ce927121fe911662a536e84843d7ff,qop=auth";
    const LAST: &str = "rspauth=dae369854c41138b68f46cc848e6d577";

    fn token() -> Token {
        let password = [
            0xe3, 0x93, 0x8b, 0x51, 0xa3, 0xf7, 0x5f, 0x3c, 0xbe, 0x0e, 0x6a, 0x86, 0x36, 0x31, 0x07, 0x8f, 0xfd, 0xa5,
            0xcc, 0x7b,
        ];
        let identifier = b"\x15job_201301010000_0007".to_vec();
        Token { identifier, password: password.to_vec(), kind: "mapreduce.job".into(), service: String::new() }
    }

    #[test]
    fn the_client_says_what_javas_said() {
        let mut client = ClientExchange::with_cnonce(&token(), "goK0iolyyel8Mi6y3q7jyrqV19DrZF73V4HbVmvT".into());
        assert_eq!(String::from_utf8(client.respond(CHALLENGE.as_bytes()).unwrap()).unwrap(), RESPONSE);
        assert_eq!(client.accept(LAST.as_bytes()), Ok(()));
        assert!(client.accept(b"rspauth=dae369854c41138b68f46cc848e6d578").is_err());
    }

    #[test]
    fn the_server_says_what_javas_said() {
        let server = ServerExchange::with_nonce("ceSKJS346AIHKkC4bZtWcYlclSN6AzX1Vd9tYcwc".into());
        assert_eq!(server.challenge(), CHALLENGE.as_bytes());
        let (identifier, last) = server.check(RESPONSE.as_bytes(), |_| Ok(token().password)).unwrap();
        assert_eq!(identifier, token().identifier);
        assert_eq!(last, LAST.as_bytes());
        let error = server.check(RESPONSE.as_bytes(), |_| Ok(vec![1, 2, 3])).unwrap_err();
        assert_eq!(error.message, "DIGEST-MD5: digest response format violation. Mismatched response.");
        assert_eq!(error.kind, ExceptionKind::Sasl);
    }

    #[test]
    fn a_cut_response_is_refused() {
        let server = ServerExchange::with_nonce("ceSKJS346AIHKkC4bZtWcYlclSN6AzX1Vd9tYcwc".into());
        // The quality of protection comes last and may be left out, as it has a default.
        for cut in 0..RESPONSE.find(",qop").unwrap() {
            assert!(server.check(&RESPONSE.as_bytes()[..cut], |_| Ok(token().password)).is_err(), "cut at {cut}");
        }
    }
}

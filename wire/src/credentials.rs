//! Tokens, what they say, and the file that carries them (Hadoop 1.2.1: security.token.Token, security.Credentials,
//! mapreduce.security.token.JobTokenIdentifier, AbstractDelegationTokenIdentifier).

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hadoop_io::{DataInput, DataOutput, DecodeError};
use types::{Credentials, DelegationTokenIdentifier, JobTokenIdentifier, Token};

use crate::Writable;

/// The kind of a job's token.
pub const JOB_TOKEN_KIND: &str = "mapreduce.job";
/// The kind of a MapReduce delegation token.
pub const DELEGATION_TOKEN_KIND: &str = "MAPREDUCE_DELEGATION_TOKEN";

const STORAGE_MAGIC: &[u8; 4] = b"HDTS";
const STORAGE_VERSION: u8 = 0;

impl Writable for Token {
    fn write(&self, out: &mut DataOutput) {
        out.vbytes(&self.identifier);
        out.vbytes(&self.password);
        out.text(&self.kind);
        out.text(&self.service);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        Ok(Token {
            identifier: input.vbytes("token identifier")?,
            password: input.vbytes("token password")?,
            kind: input.text()?,
            service: input.text()?,
        })
    }
}

impl Writable for JobTokenIdentifier {
    fn write(&self, out: &mut DataOutput) {
        out.text(&self.job_id);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        Ok(JobTokenIdentifier { job_id: input.text()? })
    }
}

impl Writable for DelegationTokenIdentifier {
    fn write(&self, out: &mut DataOutput) {
        out.u8(0);
        out.text(&self.owner);
        out.text(&self.renewer);
        out.text(&self.real_user);
        out.vlong(self.issue_date);
        out.vlong(self.max_date);
        out.vint(self.sequence_number);
        out.vint(self.master_key_id);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        let version = input.u8()?;
        if version != 0 {
            return Err(input.error("delegation token", format!("version {version}; only 0 is known")));
        }
        Ok(DelegationTokenIdentifier {
            owner: input.text()?,
            renewer: input.text()?,
            real_user: input.text()?,
            issue_date: input.vlong()?,
            max_date: input.vlong()?,
            sequence_number: input.vint()?,
            master_key_id: input.vint()?,
        })
    }
}

impl Writable for Credentials {
    fn write(&self, out: &mut DataOutput) {
        out.vint(self.tokens.len() as i32);
        for (alias, token) in &self.tokens {
            out.text(alias);
            token.write(out);
        }
        out.vint(self.secrets.len() as i32);
        for (alias, secret) in &self.secrets {
            out.text(alias);
            out.vbytes(secret);
        }
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        let tokens = (0..input.vcount(5, "tokens")?)
            .map(|_| Ok((input.text()?, Token::read(input)?)))
            .collect::<Result<_, DecodeError>>()?;
        let secrets = (0..input.vcount(2, "secrets")?)
            .map(|_| Ok((input.text()?, input.vbytes("secret")?)))
            .collect::<Result<_, DecodeError>>()?;
        Ok(Credentials { tokens, secrets })
    }
}

/// The token storage file that holds `credentials` (Hadoop 1.2.1: Credentials.writeTokenStorageToStream).
pub fn write_storage(credentials: &Credentials) -> Vec<u8> {
    let mut out = DataOutput::new();
    out.bytes(STORAGE_MAGIC);
    out.u8(STORAGE_VERSION);
    credentials.write(&mut out);
    out.into_bytes()
}

/// Reads a token storage file (Hadoop 1.2.1: Credentials.readTokenStorageStream).
pub fn read_storage(bytes: &[u8]) -> Result<Credentials, DecodeError> {
    let mut input = DataInput::new(bytes);
    if input.bytes(STORAGE_MAGIC.len(), "token storage magic")? != STORAGE_MAGIC {
        return Err(input.error("token storage magic", "is not HDTS"));
    }
    let version = input.u8()?;
    if version != STORAGE_VERSION {
        return Err(input.error("token storage version", format!("{version}; only {STORAGE_VERSION} is known")));
    }
    Credentials::read(&mut input)
}

/// The token as one word for URLs and command lines (Hadoop 1.2.1: Token.encodeToUrlString).
pub fn to_url_string(token: &Token) -> String {
    URL_SAFE_NO_PAD.encode(token.to_bytes())
}

/// Reads what [`to_url_string`] writes.
pub fn from_url_string(text: &str) -> Result<Token, DecodeError> {
    let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|error| DecodeError {
        offset: 0,
        what: "token text",
        problem: error.to_string(),
    })?;
    Token::from_bytes(&bytes)
}

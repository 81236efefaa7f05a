//! Tokens and secrets that travel with a job.

/// A token: what it says, the proof, and what it is good for (Hadoop 1.2.1: security.token.Token).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Token {
    /// The serialised identifier.
    pub identifier: Vec<u8>,
    /// HMAC-SHA1 of the identifier under the issuer's key.
    pub password: Vec<u8>,
    /// `mapreduce.job`, `MAPREDUCE_DELEGATION_TOKEN`, …
    pub kind: String,
    /// Where it is used: `ip:port`, or the job id as the JobTracker stores it.
    pub service: String,
}

/// Tokens and secret keys by alias, in the order in which they came (Hadoop 1.2.1: security.Credentials).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Credentials {
    /// Alias and token.
    pub tokens: Vec<(String, Token)>,
    /// Alias and secret.
    pub secrets: Vec<(String, Vec<u8>)>,
}

impl Credentials {
    /// The alias under which a job's token is stored.
    pub const JOB_TOKEN: &'static str = "ShuffleAndJobToken";

    /// The token of that alias.
    pub fn token(&self, alias: &str) -> Option<&Token> {
        self.tokens.iter().find(|(name, _)| name == alias).map(|(_, token)| token)
    }

    /// Stores a token under an alias, in place of an older one.
    pub fn set_token(&mut self, alias: &str, token: Token) {
        match self.tokens.iter_mut().find(|(name, _)| name == alias) {
            Some((_, old)) => *old = token,
            None => self.tokens.push((alias.to_owned(), token)),
        }
    }
}

/// What a job token says: the job it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobTokenIdentifier {
    /// The job id's text.
    pub job_id: String,
}

/// What a MapReduce delegation token says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DelegationTokenIdentifier {
    /// Whom it speaks for.
    pub owner: String,
    /// Who may renew it, by short name.
    pub renewer: String,
    /// Who asked for it on behalf of the owner; empty if the owner did.
    pub real_user: String,
    /// Milliseconds since the epoch.
    pub issue_date: i64,
    /// Milliseconds since the epoch; no renewal goes beyond.
    pub max_date: i64,
    /// Counts tokens of one issuer.
    pub sequence_number: i32,
    /// The key its password was made with.
    pub master_key_id: i32,
}

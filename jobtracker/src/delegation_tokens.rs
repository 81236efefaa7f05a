//! Delegation tokens of clients, and the key of job tokens. In 1.2.1 they end with the process; here the journal keeps
//! them (Hadoop 1.2.1: security.token.delegation.AbstractDelegationTokenSecretManager).

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use types::{DelegationTokenIdentifier, ExceptionKind, JobId, JobTokenIdentifier, Millis, RemoteException, Token};
use wire::Writable;
use wire::credentials::{DELEGATION_TOKEN_KIND, JOB_TOKEN_KIND};

use crate::journal::{Journal, TokenState};

/// Tokens that are alive at most; the oldest to expire goes first.
const TOKENS_MAX: usize = 100_000;

/// Issues, renews and cancels tokens.
pub(crate) struct DelegationTokens {
    renewal_ms: Millis,
    life_ms: Millis,
    state: Mutex<TokenState>,
    /// Where changes are kept, once there is a place.
    journal: OnceLock<Arc<Journal>>,
}

fn millis(duration: Duration) -> Millis {
    Millis::try_from(duration.as_millis()).unwrap_or(Millis::MAX)
}

fn invalid(message: String) -> RemoteException {
    RemoteException::new(ExceptionKind::InvalidToken, message)
}

impl DelegationTokens {
    pub(crate) fn new(renewal: Duration, life: Duration) -> DelegationTokens {
        DelegationTokens {
            renewal_ms: millis(renewal),
            life_ms: millis(life),
            state: Mutex::new(TokenState {
                job_token_key: rpc::secret::new_key().to_vec(),
                key: rpc::secret::new_key().to_vec(),
                ..TokenState::default()
            }),
            journal: OnceLock::new(),
        }
    }

    /// Goes on with the keys and tokens of an earlier process.
    pub(crate) fn restore(&self, state: TokenState) {
        *self.state() = state;
    }

    /// From now on changes are kept there.
    pub(crate) fn keep_in(&self, journal: Arc<Journal>) {
        // There is one journal in a process's life.
        let _ = self.journal.set(journal);
    }

    /// Looks at all keys and tokens, which do not change meanwhile.
    pub(crate) fn with_state<T>(&self, look: impl FnOnce(&TokenState) -> T) -> T {
        look(&self.state())
    }

    fn keep(&self, number: i32, expiry: Millis) {
        if let Some(journal) = self.journal.get() {
            journal.keep_token(number, expiry);
        }
    }

    fn state(&self) -> MutexGuard<'_, TokenState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The token of a job, as it stands in the system directory.
    pub(crate) fn job_token(&self, job: &JobId) -> Token {
        let identifier = JobTokenIdentifier { job_id: job.to_string() }.to_bytes();
        Token {
            password: rpc::secret::hmac_sha1(&self.state().job_token_key, &identifier).to_vec(),
            identifier,
            kind: JOB_TOKEN_KIND.to_owned(),
            service: job.to_string(),
        }
    }

    /// A new token for `owner`, which `renewer` may renew. Its service is empty; the client fills it in.
    pub(crate) fn issue(&self, owner: &str, renewer: &str, real_user: &str, now: Millis) -> Token {
        let mut issued = self.state();
        issued.last_number = issued.last_number.wrapping_add(1);
        let sequence_number = issued.last_number;
        let max_date = now.saturating_add(self.life_ms);
        issued.expiry.retain(|_, expiry| *expiry >= now);
        if issued.expiry.len() >= TOKENS_MAX {
            issued.expiry.pop_first();
        }
        let expiry = max_date.min(now.saturating_add(self.renewal_ms));
        issued.expiry.insert(sequence_number, expiry);
        self.keep(sequence_number, expiry);
        let identifier = DelegationTokenIdentifier {
            owner: owner.to_owned(),
            renewer: renewer.to_owned(),
            real_user: real_user.to_owned(),
            issue_date: now,
            max_date,
            sequence_number,
            master_key_id: 1,
        }
        .to_bytes();
        Token {
            password: rpc::secret::hmac_sha1(&issued.key, &identifier).to_vec(),
            identifier,
            kind: DELEGATION_TOKEN_KIND.to_owned(),
            service: String::new(),
        }
    }

    /// What a token says, if it is one of ours.
    fn identify(&self, token: &Token) -> Result<DelegationTokenIdentifier, RemoteException> {
        let identifier = DelegationTokenIdentifier::from_bytes(&token.identifier)
            .map_err(|error| invalid(format!("unreadable token: {error}")))?;
        if !rpc::secret::verify_hmac_sha1(&self.state().key, &token.identifier, &token.password) {
            return Err(RemoteException::new(
                ExceptionKind::AccessControl,
                format!("token {} has a wrong password", identifier.sequence_number),
            ));
        }
        Ok(identifier)
    }

    /// Renews a token; its new expiry.
    pub(crate) fn renew(&self, token: &Token, renewer: &str, now: Millis) -> Result<Millis, RemoteException> {
        let identifier = self.identify(token)?;
        if identifier.max_date < now {
            return Err(invalid(format!("User {renewer} tried to renew an expired token")));
        }
        if identifier.renewer.is_empty() || identifier.renewer != renewer {
            let text = match identifier.renewer.as_str() {
                "" => format!("User {renewer} tried to renew a token without a renewer"),
                other => format!("Client {renewer} tries to renew a token with renewer specified as {other}"),
            };
            return Err(RemoteException::new(ExceptionKind::AccessControl, text));
        }
        let expiry = identifier.max_date.min(now.saturating_add(self.renewal_ms));
        let mut state = self.state();
        match state.expiry.get_mut(&identifier.sequence_number) {
            Some(current) => {
                *current = expiry;
                self.keep(identifier.sequence_number, expiry);
            }
            None => return Err(invalid(format!("token {} is not known", identifier.sequence_number))),
        }
        Ok(expiry)
    }

    /// Cancels a token.
    pub(crate) fn cancel(&self, token: &Token, canceller: &str) -> Result<(), RemoteException> {
        let identifier = self.identify(token)?;
        if canceller != identifier.owner && (identifier.renewer.is_empty() || canceller != identifier.renewer) {
            return Err(RemoteException::new(
                ExceptionKind::AccessControl,
                format!("{canceller} is not authorized to cancel the token"),
            ));
        }
        let mut state = self.state();
        match state.expiry.remove(&identifier.sequence_number) {
            Some(_) => {
                if let Some(journal) = self.journal.get() {
                    journal.drop_token(identifier.sequence_number);
                }
                Ok(())
            }
            None => Err(invalid("Token not found".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens() -> DelegationTokens {
        DelegationTokens::new(Duration::from_millis(100), Duration::from_millis(250))
    }

    #[test]
    fn a_token_lives_as_long_as_it_is_renewed_but_not_longer() {
        let tokens = tokens();
        let token = tokens.issue("ann", "jt", "", 1000);
        assert_eq!(token.kind, "MAPREDUCE_DELEGATION_TOKEN");
        assert_eq!(tokens.renew(&token, "jt", 1050), Ok(1150));
        assert_eq!(tokens.renew(&token, "jt", 1200), Ok(1250));
        assert_eq!(tokens.renew(&token, "jt", 1251).unwrap_err().kind, ExceptionKind::InvalidToken);
    }

    #[test]
    fn only_the_renewer_renews_and_only_owner_or_renewer_cancels() {
        let tokens = tokens();
        let token = tokens.issue("ann", "jt", "", 0);
        assert_eq!(tokens.renew(&token, "ann", 1).unwrap_err().kind, ExceptionKind::AccessControl);
        assert_eq!(tokens.cancel(&token, "eve").unwrap_err().kind, ExceptionKind::AccessControl);
        let forged = Token { password: vec![0; 20], ..token.clone() };
        assert_eq!(tokens.cancel(&forged, "ann").unwrap_err().kind, ExceptionKind::AccessControl);
        assert_eq!(tokens.cancel(&token, "ann"), Ok(()));
        assert_eq!(tokens.renew(&token, "jt", 1).unwrap_err().kind, ExceptionKind::InvalidToken);
    }

    #[test]
    fn a_job_token_speaks_for_its_job() {
        let job = JobId::new("201301010000", 7);
        let token = tokens().job_token(&job);
        assert_eq!(token.identifier, b"\x15job_201301010000_0007");
        assert_eq!((token.kind.as_str(), token.password.len()), ("mapreduce.job", 20));
    }
}

//! RefreshAuthorizationPolicyProtocol, versionID 1: administrators to the JobTracker.

use super::protocol::protocol;

protocol! {
    "org.apache.hadoop.security.authorize.RefreshAuthorizationPolicyProtocol", version 1;

    /// Reads anew who may use which protocol.
    "refreshServiceAcl" RefreshServiceAcl {} -> ();
}

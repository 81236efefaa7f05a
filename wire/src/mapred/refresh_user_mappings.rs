//! RefreshUserMappingsProtocol, versionID 1: administrators to the JobTracker.

use super::protocol::protocol;

protocol! {
    "org.apache.hadoop.security.RefreshUserMappingsProtocol", version 1;

    /// Forgets which groups users are in.
    "refreshUserToGroupsMappings" RefreshUserToGroupsMappings {} -> ();

    /// Reads anew who may impersonate whom.
    "refreshSuperUserGroupsConfiguration" RefreshSuperUserGroupsConfiguration {} -> ();
}

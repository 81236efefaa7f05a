//! AdminOperationsProtocol, versionID 3: administrators to the JobTracker.

use types::SafeModeAction;

use super::protocol::protocol;

protocol! {
    "org.apache.hadoop.mapred.AdminOperationsProtocol", version 3;

    /// Reads the queues' configuration anew.
    "refreshQueues" RefreshQueues {} -> ();

    /// Reads the include and exclude lists anew.
    "refreshNodes" RefreshNodes {} -> ();

    /// Enters, leaves or tells safe mode; the reply tells whether it is on afterwards.
    "setSafeMode" SetSafeMode {
        /// What to do.
        action: SafeModeAction,
    } -> bool;
}

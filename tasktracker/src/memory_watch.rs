//! Looks at the children's processes every few seconds and lets the core decide who uses too much (Hadoop 1.2.1:
//! TaskMemoryManagerThread.run).

use std::time::Duration;

use crate::driver::CoreHandle;
use crate::process_table;

/// The least pause between two looks, whatever the site says.
const PAUSE_MIN: Duration = Duration::from_millis(100);

/// Watches for as long as the core is there.
pub(crate) async fn watch(core: CoreHandle, every: Duration) {
    loop {
        tokio::time::sleep(every.max(PAUSE_MIN)).await;
        let Ok(roots) = core.ask(|core, _| core.watched_processes()).await else { return };
        if roots.is_empty() {
            continue;
        }
        let Ok(table) = tokio::task::spawn_blocking(move || process_table::read(&roots)).await else { return };
        core.tell(move |core, now| core.memory_seen(now, &table));
    }
}

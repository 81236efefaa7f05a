//! Many TaskTrackers in one process: workers with a connection each, every one the heartbeats of its share of the nodes.
//! One thread does it all, so that it can be bound to a core of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rpc::ClientOptions;
use rpc::client::Client;
use wire::mapred::inter_tracker;

use super::tracker::LoadTracker;

/// How the heartbeats follow each other.
#[derive(Debug, Clone, Copy)]
pub(super) enum Pace {
    /// Each worker sends the next one when the last was answered.
    Closed,
    /// Each node sends one in so much time.
    Every(Duration),
}

/// When a run ends.
#[derive(Debug, Clone, Copy)]
pub(super) enum Until {
    /// After so much time.
    Time(Duration),
    /// Once so many maps in all were told as ended.
    Maps(usize),
    /// Once each node has sent one heartbeat.
    OneRound,
}

/// What a run came to.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// Seconds of each heartbeat, from sending to the answer; sorted.
    pub(super) latencies: Vec<f64>,
    /// Seconds in all.
    pub(super) elapsed: f64,
}

impl Outcome {
    /// The latency that a share of all heartbeats kept below, in milliseconds.
    pub(super) fn percentile_ms(&self, share: f64) -> f64 {
        let last = self.latencies.len().saturating_sub(1);
        let at = ((self.latencies.len() as f64 * share).ceil() as usize).saturating_sub(1).min(last);
        self.latencies.get(at).map_or(f64::NAN, |seconds| seconds * 1e3)
    }
}

struct Worker {
    client: Client,
    trackers: Vec<LoadTracker>,
}

/// All workers.
pub(super) struct Generator {
    workers: Vec<Worker>,
}

impl Generator {
    /// So many nodes, dealt out to workers that call a JobTracker on loopback.
    pub(super) fn new(rpc_port: u16, nodes: usize, workers: usize) -> Generator {
        let user = nix::unistd::User::from_uid(nix::unistd::getuid()).ok().flatten();
        let user = user.map_or_else(|| "root".to_owned(), |user| user.name);
        let mut made: Vec<Worker> = (0..workers)
            .map(|_| {
                let address = format!("127.0.0.1:{rpc_port}");
                let client = Client::new(address, inter_tracker::NAME, ClientOptions::for_user(&user));
                Worker { client, trackers: Vec::new() }
            })
            .collect();
        for node in 0..nodes {
            made[node % workers].trackers.push(LoadTracker::new(node));
        }
        Generator { workers: made }
    }

    /// Runs until the end; an attempt takes so long.
    pub(super) async fn run(&mut self, pace: Pace, until: Until, each_takes: Duration) -> Result<Outcome> {
        let told = Arc::new(AtomicUsize::new(0));
        let begin = Instant::now();
        let running: Vec<_> = self
            .workers
            .drain(..)
            .map(|worker| tokio::spawn(work(worker, pace, until, each_takes, told.clone(), begin)))
            .collect();
        let mut outcome = Outcome::default();
        for worker in running {
            let (worker, latencies) = worker.await.context("a worker")??;
            self.workers.push(worker);
            outcome.latencies.extend(latencies);
        }
        outcome.elapsed = begin.elapsed().as_secs_f64();
        outcome.latencies.sort_by(f64::total_cmp);
        Ok(outcome)
    }
}

async fn work(
    mut worker: Worker,
    pace: Pace,
    until: Until,
    each_takes: Duration,
    told: Arc<AtomicUsize>,
    begin: Instant,
) -> Result<(Worker, Vec<f64>)> {
    let mut latencies = Vec::new();
    let count = worker.trackers.len();
    let mut sent: u32 = 0;
    loop {
        for tracker in &mut worker.trackers {
            let is_over = match until {
                Until::Time(time) => begin.elapsed() >= time,
                Until::Maps(maps) => told.load(Ordering::Relaxed) >= maps,
                Until::OneRound => false,
            };
            if is_over {
                return Ok((worker, latencies));
            }
            if let Pace::Every(interval) = pace {
                let due = begin + interval * sent / u32::try_from(count)?;
                tokio::time::sleep_until(due.into()).await;
            }
            sent += 1;
            let now = Instant::now();
            let beat = tracker.beat(now);
            let response = worker.client.call(&beat).await.context("a heartbeat")?;
            latencies.push(now.elapsed().as_secs_f64());
            let before = tracker.maps_told;
            tracker.answered(response, Instant::now(), each_takes);
            told.fetch_add(tracker.maps_told - before, Ordering::Relaxed);
        }
        if matches!(until, Until::OneRound) {
            return Ok((worker, latencies));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_the_value_that_so_many_do_not_exceed() {
        let outcome = Outcome { latencies: (1..=1000).map(|ms| f64::from(ms) / 1e3).collect(), elapsed: 1.0 };
        for (share, ms) in [(0.5, 500.0), (0.99, 990.0), (0.999, 999.0), (1.0, 1000.0)] {
            assert!((outcome.percentile_ms(share) - ms).abs() < 1e-9, "{share}");
        }
        assert!(Outcome::default().percentile_ms(0.5).is_nan());
    }
}

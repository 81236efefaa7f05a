//! The fair scheduler's settings and allocations as the recorded scenarios spell them. The scenarios' allocation files
//! are plain enough to be read tag by tag; the daemon's own reader is tested where it is.

use std::collections::BTreeMap;
use std::time::Duration;

use jobtracker_core::{Allocations, FairSettings, LocalityDelays, PoolMode};

/// The settings of a scenario. Updates are made when the scenario says.
pub(crate) fn settings(conf: &BTreeMap<String, String>, allocations: &str) -> FairSettings {
    let get = |key: &str| conf.get(&format!("mapred.fairscheduler.{key}"));
    let is = |key: &str, default: bool| get(key).map_or(default, |value| value == "true");
    let number = |key: &str| get(key).map(|value| value.parse::<i64>().unwrap());
    let millis = |number: i64| Duration::from_millis(number as u64);
    let general = number("locality.delay");
    let (node, rack) = (number("locality.delay.node").or(general), number("locality.delay.rack").or(general));
    FairSettings {
        allocations: parse(allocations),
        undeclared_pools: is("allow.undeclared.pools", true),
        assign_multiple: is("assignmultiple", true),
        maps_max: number("assignmultiple.maps").map(|most| most as i32),
        reduces_max: number("assignmultiple.reduces").map(|most| most as i32),
        size_based_weight: is("sizebasedweight", false),
        preemption: is("preemption", false),
        preemption_only_told: is("preemption.only.log", false),
        preemption_interval: millis(number("preemption.interval").unwrap_or(15_000)),
        update_interval: Duration::ZERO,
        update_at_once: false,
        locality_delays: node.zip(rack).map(|(node, rack)| LocalityDelays { node: millis(node), rack: millis(rack) }),
        load_difference_max: get("load.max.diff").map_or(0.0, |value| value.parse().unwrap()),
        ..FairSettings::default()
    }
}

fn parse(text: &str) -> Allocations {
    let mut allocations = Allocations::default();
    let (mut pool, mut user) = (None, None);
    for piece in text.split('<').skip(1) {
        let (tag, value) = piece.split_once('>').unwrap();
        let name = || tag.split('"').nth(1).unwrap().to_owned();
        let number = || value.parse::<i32>().unwrap();
        let seconds = || Some(Duration::from_secs(value.parse().unwrap()));
        let mode = || if value.eq_ignore_ascii_case("fifo") { PoolMode::Fifo } else { PoolMode::Fair };
        match tag.split(' ').next().unwrap() {
            "pool" => {
                allocations.pools.entry(name()).or_default();
                pool = Some(name());
            }
            "/pool" => pool = None,
            "user" => user = Some(name()),
            "/user" => user = None,
            "userMaxJobsDefault" => allocations.user_jobs_max = Some(number()),
            "poolMaxJobsDefault" => allocations.pool_jobs_max = Some(number()),
            "fairSharePreemptionTimeout" => allocations.fair_share_timeout = seconds(),
            "defaultMinSharePreemptionTimeout" => allocations.min_share_timeout = seconds(),
            "defaultPoolSchedulingMode" => allocations.mode = mode(),
            "maxRunningJobs" if user.is_some() => {
                allocations.users.insert(user.clone().unwrap(), number());
            }
            tag @ ("minMaps"
            | "minReduces"
            | "maxMaps"
            | "maxReduces"
            | "maxRunningJobs"
            | "weight"
            | "minSharePreemptionTimeout"
            | "schedulingMode") => {
                let pool = allocations.pools.get_mut(pool.as_ref().unwrap()).unwrap();
                match tag {
                    "minMaps" => pool.maps_min = number(),
                    "minReduces" => pool.reduces_min = number(),
                    "maxMaps" => pool.maps_max = Some(number()),
                    "maxReduces" => pool.reduces_max = Some(number()),
                    "maxRunningJobs" => pool.running_jobs_max = Some(number()),
                    "weight" => pool.weight = value.parse().unwrap(),
                    "minSharePreemptionTimeout" => pool.min_share_timeout = seconds(),
                    _ => pool.mode = Some(mode()),
                }
            }
            tag if tag.starts_with('/') || tag.starts_with('?') || tag == "allocations" => {}
            other => panic!("no element {other}"),
        }
    }
    allocations
}

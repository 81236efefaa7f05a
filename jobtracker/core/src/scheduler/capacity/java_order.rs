//! The order in which Java's `HashMap` walks over names, which is the order in which Hadoop first lists its queues and
//! in which equally full queues are served (Java 8 and later).

/// Names as a `HashMap` lists them into which they were put in alphabetical order.
pub(super) fn sorted<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names: Vec<&str> = names.collect();
    let buckets = buckets(names.len());
    names.sort_by_key(|name| (bucket(name, buckets), *name));
    names
}

/// How many buckets a map has that holds so many entries: it doubles at three quarters.
fn buckets(entries: usize) -> u32 {
    let mut buckets: u32 = 16;
    while entries as u64 > u64::from(buckets) / 4 * 3 {
        buckets *= 2;
    }
    buckets
}

fn bucket(name: &str, buckets: u32) -> u32 {
    let hash = name.encode_utf16().fold(0u32, |hash, unit| hash.wrapping_mul(31).wrapping_add(u32::from(unit)));
    (hash ^ (hash >> 16)) & (buckets - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected orders were printed by a Java program that put these names into a `HashMap`.
    #[test]
    fn names_come_as_from_a_hash_map() {
        let order = |text: &'static str| sorted(text.split(' ')).join(" ");
        assert_eq!(order("adhoc default etl production research"), "default production adhoc etl research");
        assert_eq!(
            order("q0 q1 q2 q3 q4 q5 q6 q7 q8 q9 q10 q11 q12 q13"),
            "q1 q2 q3 q4 q5 q6 q7 q8 q9 q11 q10 q13 q12 q0"
        );
    }
}

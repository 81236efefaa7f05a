//! Where control groups are mounted and in which of them this process is: the text of `/proc/self/mountinfo` and
//! `/proc/self/cgroup`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The controllers that are used, by the names that version 1 mounts them under.
pub(super) const CONTROLLERS: [&str; 4] = ["freezer", "memory", "cpu", "pids"];

/// The folders of this process's own groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Own {
    /// One tree for each controller.
    V1(BTreeMap<&'static str, PathBuf>),
    /// One tree for all.
    V2(PathBuf),
}

/// Reads both texts. Version 1 counts where it has the freezer, by which a whole group can be stopped.
pub(super) fn find(mountinfo: &str, cgroup: &str) -> Option<Own> {
    let mut trees = BTreeMap::new();
    for controller in CONTROLLERS {
        let mount =
            mounts(mountinfo, "cgroup").find(|mount| mount.options.split(',').any(|option| option == controller));
        let group = cgroup.lines().find_map(|line| {
            let mut parts = line.splitn(3, ':').skip(1);
            let (names, group) = (parts.next()?, parts.next()?);
            names.split(',').any(|name| name == controller).then_some(group)
        });
        if let (Some(mount), Some(group)) = (mount, group) {
            trees.insert(controller, mount.folder(group)?);
        }
    }
    if trees.contains_key("freezer") {
        return Some(Own::V1(trees));
    }
    let mount = mounts(mountinfo, "cgroup2").next()?;
    let group = cgroup.lines().find_map(|line| line.strip_prefix("0::"))?;
    Some(Own::V2(mount.folder(group)?))
}

struct Mount<'a> {
    root: &'a str,
    point: &'a str,
    options: &'a str,
}

impl Mount<'_> {
    /// The folder of a group; nothing if the mount does not show it.
    fn folder(&self, group: &str) -> Option<PathBuf> {
        let below = Path::new(group).strip_prefix(self.root).ok()?;
        Some(Path::new(&self.point.replace(r"\040", " ")).join(below))
    }
}

/// The mounts of a type: `id parent device root point options - type source superoptions`.
fn mounts<'a>(mountinfo: &'a str, kind: &'a str) -> impl Iterator<Item = Mount<'a>> {
    mountinfo.lines().filter_map(move |line| {
        let (place, what) = line.split_once(" - ")?;
        let mut what = what.split(' ');
        let (found, options) = (what.next()?, what.nth(1)?);
        let mut place = place.split(' ').skip(3);
        (found == kind).then_some(Mount { root: place.next()?, point: place.next()?, options })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const V1: &str = "\
31 30 0:27 / /sys/fs/cgroup/cpu rw,relatime shared:1 - cgroup cgroup rw,cpu,cpuacct
32 30 0:28 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
33 30 0:29 /outer /sys/fs/cgroup/freezer rw,relatime - cgroup cgroup rw,freezer
40 30 0:36 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
";

    #[test]
    fn version_1_has_a_tree_for_each_controller() {
        let own = find(V1, "9:cpu,cpuacct:/\n8:memory:/a/b\n7:freezer:/outer/in\n0::/x\n").unwrap();
        let expected = [
            ("cpu", "/sys/fs/cgroup/cpu/"),
            ("memory", "/sys/fs/cgroup/memory/a/b"),
            ("freezer", "/sys/fs/cgroup/freezer/in"),
        ];
        assert_eq!(own, Own::V1(expected.map(|(name, path)| (name, PathBuf::from(path))).into()));
    }

    #[test]
    fn version_2_has_one() {
        let mountinfo = "25 20 0:22 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";
        let own = find(mountinfo, "0::/system.slice/tasktracker.service\n");
        assert_eq!(own, Some(Own::V2("/sys/fs/cgroup/system.slice/tasktracker.service".into())));
        assert_eq!(find("", "0::/\n"), None);
        assert_eq!(find(mountinfo, ""), None);
    }
}

//! The allocation file's XML (Hadoop 1.2.1: PoolManager.reloadAllocs). What is wrong is told with its line; what is only
//! odd is a warning.

use std::time::Duration;

use configuration::ConfigError;
use jobtracker_core::{Allocations, PoolAllocation, PoolMode};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// How deep elements may stand in each other.
const DEPTH_MAX: usize = 16;

/// An element with what stands in it.
struct Element {
    tag: String,
    name: String,
    line: usize,
    text: String,
    children: Vec<Element>,
}

/// Reads a file; what is odd about it comes beside.
pub(super) fn parse(file: &str, bytes: &[u8]) -> Result<(Allocations, Vec<String>), ConfigError> {
    let at = |line: usize, problem: String| ConfigError::Xml { file: file.to_owned(), line, problem };
    let text = std::str::from_utf8(bytes)
        .map_err(|error| at(line_of(bytes, error.valid_up_to()), "is not valid UTF-8".to_owned()))?;
    let root = read(text.trim_start_matches('\u{feff}')).map_err(|(line, problem)| at(line, problem))?;
    if root.tag != "allocations" {
        let problem = format!("the top-level element is <{}>; expected <allocations>", root.tag);
        return Err(at(root.line, problem));
    }
    let mut reading = Reading { file, allocations: Allocations::default(), warnings: Vec::new() };
    reading.root(&root).map_err(|(line, problem)| at(line, problem))?;
    Ok((reading.allocations, reading.warnings))
}

type Wrong = (usize, String);

fn line_of(bytes: &[u8], at: usize) -> usize {
    1 + bytes[..at.min(bytes.len())].iter().filter(|byte| **byte == b'\n').count()
}

/// Reads the elements of a text.
fn read(text: &str) -> Result<Element, Wrong> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    let mut open: Vec<Element> = Vec::new();
    loop {
        let before = reader.buffer_position() as usize;
        let event = reader.read_event();
        let line = line_of(text.as_bytes(), before);
        let wrong = |problem: String| (line, problem);
        match event {
            Err(error) => {
                let at = line_of(text.as_bytes(), reader.error_position() as usize);
                return Err((at, format!("is not well-formed XML: {error}")));
            }
            Ok(Event::Start(start)) => {
                if open.len() >= DEPTH_MAX {
                    return Err(wrong(format!("elements stand more than {DEPTH_MAX} deep")));
                }
                open.push(element(&start, line).map_err(wrong)?);
            }
            Ok(Event::End(_)) => {
                let Some(done) = open.pop() else { return Err(wrong("an element ends that did not begin".to_owned())) };
                match open.last_mut() {
                    Some(parent) => parent.children.push(done),
                    None => return Ok(done),
                }
            }
            Ok(Event::Text(piece)) => {
                if let Some(element) = open.last_mut() {
                    element.text.push_str(&piece.decode().map_err(|error| wrong(error.to_string()))?);
                }
            }
            Ok(Event::CData(piece)) => {
                if let Some(element) = open.last_mut() {
                    element.text.push_str(&piece.decode().map_err(|error| wrong(error.to_string()))?);
                }
            }
            Ok(Event::Eof) => return Err(wrong("the file ends within an element, or holds none".to_owned())),
            Ok(_) => {}
        }
    }
}

fn element(start: &BytesStart<'_>, line: usize) -> Result<Element, String> {
    let tag = String::from_utf8_lossy(start.name().as_ref()).into_owned();
    let mut name = String::new();
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| format!("is not well-formed XML: {error}"))?;
        if attribute.key.as_ref() == b"name" {
            name = attribute.unescape_value().map_err(|error| error.to_string())?.into_owned();
        }
    }
    Ok(Element { tag, name, line, text: String::new(), children: Vec::new() })
}

/// A file that is being understood.
struct Reading<'a> {
    file: &'a str,
    allocations: Allocations,
    warnings: Vec<String>,
}

impl Reading<'_> {
    fn root(&mut self, root: &Element) -> Result<(), Wrong> {
        for element in &root.children {
            match element.tag.as_str() {
                "pool" => self.pool(element)?,
                "user" => self.user(element)?,
                "userMaxJobsDefault" => self.allocations.user_jobs_max = Some(element.whole()?),
                "poolMaxJobsDefault" => self.allocations.pool_jobs_max = Some(element.whole()?),
                "fairSharePreemptionTimeout" => self.allocations.fair_share_timeout = Some(element.seconds()?),
                "defaultMinSharePreemptionTimeout" => self.allocations.min_share_timeout = Some(element.seconds()?),
                "defaultPoolSchedulingMode" => self.allocations.mode = element.mode()?,
                _ => self.warn_of(element),
            }
        }
        Ok(())
    }

    fn warn(&mut self, line: usize, text: &str) {
        self.warnings.push(format!("{}: line {line}: {text}", self.file));
    }

    fn warn_of(&mut self, element: &Element) {
        self.warn(element.line, &format!("Bad element in allocations file: {}", element.tag));
    }

    fn pool(&mut self, element: &Element) -> Result<(), Wrong> {
        // Of a pool that stands there twice both count.
        let mut pool = self.allocations.pools.get(&element.name).cloned().unwrap_or_default();
        for field in &element.children {
            match field.tag.as_str() {
                "minMaps" => pool.maps_min = field.whole()?,
                "minReduces" => pool.reduces_min = field.whole()?,
                "maxMaps" => pool.maps_max = Some(field.whole()?),
                "maxReduces" => pool.reduces_max = Some(field.whole()?),
                "maxRunningJobs" => pool.running_jobs_max = Some(field.whole()?),
                "weight" => pool.weight = field.weight()?,
                "minSharePreemptionTimeout" => pool.min_share_timeout = Some(field.seconds()?),
                "schedulingMode" => pool.mode = Some(field.mode()?),
                _ => self.warn_of(field),
            }
        }
        self.warn_of_minimums(element, &pool);
        self.allocations.pools.insert(element.name.clone(), pool);
        Ok(())
    }

    fn warn_of_minimums(&mut self, element: &Element, pool: &PoolAllocation) {
        for (what, min, max) in
            [("maps", pool.maps_min, pool.maps_max), ("reduces", pool.reduces_min, pool.reduces_max)]
        {
            if let Some(max) = max.filter(|max| *max < min) {
                let text = format!("Pool {} has max {what} {max} less than min {what} {min}", element.name);
                self.warn(element.line, &text);
            }
        }
    }

    fn user(&mut self, element: &Element) -> Result<(), Wrong> {
        for field in &element.children {
            match field.tag.as_str() {
                "maxRunningJobs" => {
                    self.allocations.users.insert(element.name.clone(), field.whole()?);
                }
                _ => self.warn_of(field),
            }
        }
        Ok(())
    }
}

impl Element {
    fn wrong(&self, expected: &str) -> Wrong {
        (self.line, format!("{} is \"{}\"; expected {expected}", self.tag, self.text.trim()))
    }

    fn whole(&self) -> Result<i32, Wrong> {
        self.text.trim().parse().map_err(|_| self.wrong("a whole number"))
    }

    /// Hadoop takes any number, and is lost in a loop where all weights are 0 and in a sort where one is none.
    fn weight(&self) -> Result<f64, Wrong> {
        let weight = self.text.trim().parse().ok().filter(|weight: &f64| weight.is_finite() && *weight >= 0.0);
        weight.ok_or_else(|| self.wrong("a number, 0 or more"))
    }

    fn seconds(&self) -> Result<Duration, Wrong> {
        let seconds: i64 = self.text.trim().parse().map_err(|_| self.wrong("a whole number of seconds"))?;
        // A negative one is over at once.
        Ok(Duration::from_secs(u64::try_from(seconds).unwrap_or(0)))
    }

    fn mode(&self) -> Result<PoolMode, Wrong> {
        match self.text.trim().to_lowercase().as_str() {
            "fair" => Ok(PoolMode::Fair),
            "fifo" => Ok(PoolMode::Fifo),
            _ => Err(self.wrong("fifo or fair")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_counts() {
        let text = r#"<?xml version="1.0"?>
<!-- Pools of the reports department. -->
<allocations>
  <pool name="a&amp;b">
    <minMaps> 5 </minMaps><minReduces>6</minReduces><maxMaps>7</maxMaps><maxReduces>5</maxReduces>
    <maxRunningJobs>8</maxRunningJobs><weight>2.5</weight><minSharePreemptionTimeout>9</minSharePreemptionTimeout>
    <schedulingMode>FIFO</schedulingMode><colour>red</colour>
  </pool>
  <pool name="null"/>
  <user name="ann"><maxRunningJobs>3</maxRunningJobs></user>
  <userMaxJobsDefault>10</userMaxJobsDefault>
  <poolMaxJobsDefault>11</poolMaxJobsDefault>
  <fairSharePreemptionTimeout>12</fairSharePreemptionTimeout>
  <defaultMinSharePreemptionTimeout>13</defaultMinSharePreemptionTimeout>
  <defaultPoolSchedulingMode>fifo</defaultPoolSchedulingMode>
  <unknown/>
</allocations>"#;
        let (allocations, warnings) = parse("f.xml", text.as_bytes()).unwrap();
        let pool = PoolAllocation {
            maps_min: 5,
            reduces_min: 6,
            maps_max: Some(7),
            reduces_max: Some(5),
            running_jobs_max: Some(8),
            weight: 2.5,
            min_share_timeout: Some(Duration::from_secs(9)),
            mode: Some(PoolMode::Fifo),
        };
        let expected = Allocations {
            pools: [("a&b".to_owned(), pool), ("null".to_owned(), PoolAllocation::default())].into(),
            users: [("ann".to_owned(), 3)].into(),
            user_jobs_max: Some(10),
            pool_jobs_max: Some(11),
            fair_share_timeout: Some(Duration::from_secs(12)),
            min_share_timeout: Some(Duration::from_secs(13)),
            mode: PoolMode::Fifo,
        };
        assert_eq!(allocations, expected);
        assert_eq!(
            warnings,
            [
                "f.xml: line 7: Bad element in allocations file: colour",
                "f.xml: line 4: Pool a&b has max reduces 5 less than min reduces 6",
                "f.xml: line 16: Bad element in allocations file: unknown",
            ]
        );
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let pool = |field: &str| format!("<allocations>\n\n<pool name='p'>\n{field}</pool></allocations>");
        for (text, line, fact) in [
            (pool("<weight>NaN</weight>"), 4, "weight is \"NaN\"; expected a number, 0 or more"),
            (pool("<weight>-1</weight>"), 4, "weight is \"-1\""),
            (pool("<minMaps>many</minMaps>"), 4, "minMaps is \"many\"; expected a whole number"),
            (pool("<minMaps/>"), 4, "minMaps is \"\""),
            (pool("<schedulingMode>lifo</schedulingMode>"), 4, "expected fifo or fair"),
            (pool("</weight>"), 4, "is not well-formed XML"),
            ("\n<pools/>".to_owned(), 2, "expected <allocations>"),
            ("<allocations>\n<pool>".to_owned(), 2, "ends within an element"),
            (String::new(), 1, "holds none"),
            ("<a>".repeat(20), 1, "more than 16 deep"),
        ] {
            let error = parse("f.xml", text.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(&format!("f.xml: line {line}: ")) && error.contains(fact), "{text}: {error}");
        }
        let (allocations, _) = parse("f.xml", pool("<weight>0</weight>").as_bytes()).unwrap();
        assert_eq!(allocations.pools["p"].weight, 0.0);
    }

    /// Any bytes are read or refused.
    #[test]
    fn a_file_cut_anywhere_is_refused_or_read() {
        let text = "<?xml version=\"1.0\"?><allocations><pool name=\"a\"><weight>1</weight></pool></allocations>\n";
        for end in 0..text.len() {
            let cut = parse("f.xml", &text.as_bytes()[..end]);
            assert_eq!(cut.is_ok(), end == text.len() - 1, "{}", &text[..end]);
        }
    }
}

//! Configuration files as XML: what Java's parser makes of them (Hadoop 1.2.1: Configuration.loadResource), and the
//! text that Java's serializer writes (Configuration.writeXml). No file is opened here; an include is handed to a
//! function of the caller's.

use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};

use crate::error::ConfigError;

/// How deep `<configuration>` may stand in `<configuration>`, and files include files.
pub(crate) const DEPTH_MAX: usize = 16;

/// One `<property>`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Property {
    pub(crate) name: String,
    /// Missing where `<value>` is missing or empty: such a property sets nothing.
    pub(crate) value: Option<String>,
    pub(crate) is_final: bool,
    /// The file named in a `Loaded from` comment, as [`write`] and Java make them.
    pub(crate) loaded_from: Option<String>,
}

/// What a file holds, in its order.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Item {
    Property(Property),
    /// `<xi:include href="…">`, and whether it has a fallback, so that the file may be missing.
    Include {
        href: String,
        optional: bool,
    },
}

/// Reads a file.
pub(crate) fn parse(file: &str, bytes: &[u8]) -> Result<Vec<Item>, ConfigError> {
    let text = to_utf8(file, bytes)?;
    let mut parser = Parser { file, text: &text, items: Vec::new(), at: 0 };
    parser.run()?;
    Ok(parser.items)
}

/// The bytes as text: UTF-8, or the Latin-1 that old site files declare.
fn to_utf8(file: &str, bytes: &[u8]) -> Result<String, ConfigError> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).to_ascii_lowercase();
    let declaration = head.split_once("?>").map_or("", |(declaration, _)| declaration);
    if declaration.contains("iso-8859-1") || declaration.contains("latin1") {
        return Ok(bytes.iter().map(|byte| char::from(*byte)).collect());
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.trim_start_matches('\u{feff}').to_owned()),
        Err(error) => Err(ConfigError::Xml {
            file: file.to_owned(),
            line: line_of(bytes, error.valid_up_to()),
            problem: "is not valid UTF-8; save the file as UTF-8, or declare its encoding as ISO-8859-1".to_owned(),
        }),
    }
}

fn line_of(bytes: &[u8], at: usize) -> usize {
    1 + bytes[..at.min(bytes.len())].iter().filter(|byte| **byte == b'\n').count()
}

struct Parser<'a> {
    file: &'a str,
    text: &'a str,
    items: Vec<Item>,
    at: usize,
}

impl<'a> Parser<'a> {
    fn run(&mut self) -> Result<(), ConfigError> {
        let mut reader = Reader::from_str(self.text);
        reader.config_mut().expand_empty_elements = true;
        loop {
            match self.next(&mut reader)? {
                Event::Start(root) if root.local_name().as_ref() == b"configuration" => {
                    self.configuration(&mut reader, 0)?;
                    return self.nothing_more(&mut reader);
                }
                Event::Start(root) => {
                    let name = String::from_utf8_lossy(root.name().as_ref()).into_owned();
                    return Err(self.error(format!("the top-level element is <{name}>; expected <configuration>")));
                }
                Event::Text(text) if text.iter().any(|byte| !byte.is_ascii_whitespace()) => {
                    return Err(self.error("text before <configuration>; expected XML".to_owned()));
                }
                Event::Eof => return Err(self.error("the file holds no <configuration> element".to_owned())),
                _ => {}
            }
        }
    }

    fn nothing_more(&mut self, reader: &mut Reader<&'a [u8]>) -> Result<(), ConfigError> {
        loop {
            match self.next(reader)? {
                Event::Eof => return Ok(()),
                Event::Start(_) => return Err(self.error("a second top-level element".to_owned())),
                Event::Text(text) if text.iter().any(|byte| !byte.is_ascii_whitespace()) => {
                    return Err(self.error("text after </configuration>".to_owned()));
                }
                _ => {}
            }
        }
    }

    fn next(&mut self, reader: &mut Reader<&'a [u8]>) -> Result<Event<'a>, ConfigError> {
        match reader.read_event() {
            Ok(event) => {
                self.at = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
                Ok(event)
            }
            Err(error) => {
                self.at = usize::try_from(reader.error_position()).unwrap_or(usize::MAX);
                Err(self.error(format!("not well-formed XML: {error}")))
            }
        }
    }

    fn error(&self, problem: String) -> ConfigError {
        ConfigError::Xml { file: self.file.to_owned(), line: line_of(self.text.as_bytes(), self.at), problem }
    }

    /// Reads to the end of a `<configuration>` whose start was read.
    fn configuration(&mut self, reader: &mut Reader<&'a [u8]>, depth: usize) -> Result<(), ConfigError> {
        if depth > DEPTH_MAX {
            return Err(self.error(format!("<configuration> is nested more than {DEPTH_MAX} deep")));
        }
        loop {
            match self.next(reader)? {
                Event::Start(start) => match start.local_name().as_ref() {
                    b"configuration" => self.configuration(reader, depth + 1)?,
                    b"include" => self.include(reader, &start)?,
                    // Quirk: Configuration.loadResource warns of another element and reads it as a property.
                    _ => self.property(reader)?,
                },
                Event::End(_) => return Ok(()),
                Event::Eof => return Err(self.error("the file ends inside <configuration>".to_owned())),
                _ => {}
            }
        }
    }

    fn include(&mut self, reader: &mut Reader<&'a [u8]>, start: &BytesStart<'a>) -> Result<(), ConfigError> {
        let href = start.try_get_attribute("href").ok().flatten();
        let href = href.and_then(|attribute| attribute.unescape_value().ok()).map(|value| value.into_owned());
        let Some(href) = href else { return Err(self.error("an include without href".to_owned())) };
        let mut optional = false;
        let mut open = 1;
        while open > 0 {
            match self.next(reader)? {
                Event::Start(inner) => {
                    optional |= inner.local_name().as_ref() == b"fallback";
                    open += 1;
                }
                Event::End(_) => open -= 1,
                Event::Eof => return Err(self.error("the file ends inside an include".to_owned())),
                _ => {}
            }
        }
        self.items.push(Item::Include { href, optional });
        Ok(())
    }

    fn property(&mut self, reader: &mut Reader<&'a [u8]>) -> Result<(), ConfigError> {
        let mut property = Property::default();
        let mut name = None;
        loop {
            match self.next(reader)? {
                Event::Start(field) => {
                    let field_name = String::from_utf8_lossy(field.local_name().as_ref()).into_owned();
                    let Some(text) = self.field(reader, &field_name)? else { continue };
                    match field_name.as_str() {
                        "name" => name = Some(text.trim().to_owned()),
                        "value" => property.value = Some(text),
                        "final" => property.is_final = text == "true",
                        _ => {}
                    }
                }
                Event::Comment(comment) => {
                    let comment = String::from_utf8_lossy(&comment).into_owned();
                    property.loaded_from = comment.strip_prefix("Loaded from ").map(str::to_owned);
                }
                Event::End(_) => break,
                Event::Eof => return Err(self.error("the file ends inside <property>".to_owned())),
                _ => {}
            }
        }
        if let Some(name) = name {
            property.name = name;
            self.items.push(Item::Property(property));
        }
        Ok(())
    }

    /// The text of a field, `None` where it has none. Quirk: Configuration.loadResource takes the first text node
    /// only, and a CDATA section is a node of its own.
    fn field(&mut self, reader: &mut Reader<&'a [u8]>, name: &str) -> Result<Option<String>, ConfigError> {
        let mut text = String::new();
        let mut whole = false;
        let mut open = 0;
        let plain = matches!(name, "name" | "value" | "final");
        loop {
            match self.next(reader)? {
                Event::Text(part) if !whole && open == 0 => push_lines(&mut text, &String::from_utf8_lossy(&part)),
                Event::GeneralRef(reference) if !whole && open == 0 => text.push_str(&self.reference(&reference)?),
                Event::CData(part) if open == 0 => {
                    if !whole && text.is_empty() {
                        push_lines(&mut text, &String::from_utf8_lossy(&part));
                    }
                    whole = true;
                }
                Event::Start(inner) if plain => {
                    let inner = String::from_utf8_lossy(inner.name().as_ref()).into_owned();
                    return Err(self.error(format!("<{inner}> inside <{name}>; expected text")));
                }
                Event::Start(_) => open += 1,
                Event::End(_) if open == 0 => return Ok((!text.is_empty()).then_some(text)),
                Event::End(_) => open -= 1,
                Event::Eof => return Err(self.error(format!("the file ends inside <{name}>"))),
                _ => {}
            }
        }
    }

    fn reference(&self, reference: &BytesRef<'_>) -> Result<String, ConfigError> {
        if let Ok(Some(character)) = reference.resolve_char_ref() {
            return Ok(character.to_string());
        }
        let name = String::from_utf8_lossy(reference).into_owned();
        match quick_xml::escape::resolve_predefined_entity(&name) {
            Some(text) => Ok(text.to_owned()),
            None => Err(self.error(format!("the entity &{name}; is not known; only XML's own five are"))),
        }
    }
}

/// Adds text with XML's line ends: CR LF and CR are LF.
fn push_lines(text: &mut String, part: &str) {
    if part.contains('\r') {
        text.push_str(&part.replace("\r\n", "\n").replace('\r', "\n"));
    } else {
        text.push_str(part);
    }
}

/// Writes properties as Java's serializer does: name, value and where each came from.
pub(crate) fn write<'a>(properties: impl Iterator<Item = (&'a str, &'a str, &'a str)>) -> Vec<u8> {
    let mut out = String::from(r#"<?xml version="1.0" encoding="UTF-8" standalone="no"?><configuration>"#);
    out.push('\n');
    for (name, value, source) in properties {
        out.push_str("<property><!--Loaded from ");
        out.push_str(&source.replace("--", "- -"));
        out.push_str("--><name>");
        escape(&mut out, name);
        out.push_str("</name>");
        // An element without text is written short.
        if value.is_empty() {
            out.push_str("<value/>");
        } else {
            out.push_str("<value>");
            escape(&mut out, value);
            out.push_str("</value>");
        }
        out.push_str("</property>\n");
    }
    out.push_str("</configuration>");
    out.into_bytes()
}

fn escape(out: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\t' | '\n' => out.push(character),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => {
                out.push_str(&format!("&#{};", u32::from(character)));
            }
            '\u{10000}'.. => out.push_str(&format!("&#{};", u32::from(character))),
            _ => out.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn properties(text: &str) -> Vec<(String, Option<String>, bool)> {
        let items = parse("x.xml", text.as_bytes()).unwrap();
        let property = |item| match item {
            Item::Property(p) => (p.name, p.value, p.is_final),
            Item::Include { .. } => panic!("an include"),
        };
        items.into_iter().map(property).collect()
    }

    fn value(text: &str) -> Option<String> {
        let file = format!("<configuration><property><name> a\n</name>{text}</property></configuration>");
        let read = properties(&file);
        assert_eq!(read[0].0, "a");
        read[0].1.clone()
    }

    fn problem(text: &str) -> String {
        parse("x.xml", text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn takes_the_value_that_java_takes() {
        assert_eq!(value("<value>1 &lt; 2 &#65;&amp;</value>").as_deref(), Some("1 < 2 A&"));
        assert_eq!(value("<value> b </value>").as_deref(), Some(" b "));
        assert_eq!(value("<value><![CDATA[<x>]]></value>").as_deref(), Some("<x>"));
        assert_eq!(value("<value>a<![CDATA[b]]>c</value>").as_deref(), Some("a"));
        assert_eq!(value("<value>a<!-- no -->c</value>").as_deref(), Some("ac"));
        assert_eq!(value("<value>a\r\nb</value>").as_deref(), Some("a\nb"));
        assert_eq!(value("<value></value>"), None);
        assert_eq!(value("<value/>"), None);
        assert_eq!(value("<description>of <b>it</b></description>"), None);
        assert_eq!(value("<value>old</value><value>new</value>").as_deref(), Some("new"));
    }

    #[test]
    fn reads_final_and_nested_configurations() {
        let text = "<?xml version='1.0'?>\n<?xml-stylesheet href='c.xsl'?>\n<!-- c -->\n<configuration>\
            <property><name>a</name><value>1</value><final>true</final></property>\
            <configuration><property><name>b</name><value>2</value><final> true</final></property></configuration>\
            </configuration>";
        let expected =
            vec![("a".to_owned(), Some("1".to_owned()), true), ("b".to_owned(), Some("2".to_owned()), false)];
        assert_eq!(properties(text), expected);
    }

    #[test]
    fn names_the_line_of_what_is_wrong() {
        assert_eq!(
            problem("<conf>\n</conf>"),
            "x.xml: line 1: the top-level element is <conf>; expected <configuration>"
        );
        let cut = problem("<configuration>\n<property>\n<name>a</name>\n");
        assert!(cut.starts_with("x.xml: line 4: "), "{cut}");
        let crossed = problem("<configuration>\n<property>\n<name>a</value>\n</property></configuration>");
        assert!(crossed.starts_with("x.xml: line 3: not well-formed XML"), "{crossed}");
        let entity = problem("<configuration>\n<property><name>a</name><value>&x;</value></property></configuration>");
        assert!(entity.contains("line 2: the entity &x; is not known"), "{entity}");
        assert!(problem("").contains("no <configuration>"));
        assert!(problem("fs.default.name=file:///").contains("expected XML"));
        assert!(problem("<configuration/><configuration/>").contains("second top-level"));
        let nested = "<configuration>".repeat(50_000);
        assert!(problem(&nested).contains("nested more than"));
    }

    #[test]
    fn reads_latin_1_where_it_is_declared() {
        let mut bytes =
            br#"<?xml version="1.0" encoding="ISO-8859-1"?><configuration><property><name>a</name><value>"#.to_vec();
        bytes.push(0xe9);
        bytes.extend_from_slice(b"</value></property></configuration>");
        let Item::Property(p) = &parse("x.xml", &bytes).unwrap()[0] else { panic!() };
        assert_eq!(p.value.as_deref(), Some("é"));
        let error = parse("x.xml", b"<configuration>\n\xff</configuration>").unwrap_err();
        assert!(error.to_string().contains("line 2: is not valid UTF-8"));
    }

    #[test]
    fn escapes_what_java_escapes() {
        // Seen from Hadoop 1.2.1 on Java 17.
        let cases = [
            ("a\tb\nc\rd", "<value>a\tb\nc&#13;d</value>"),
            ("é\u{85}\u{9f}\u{7f}\u{a0}\u{2028}", "<value>é&#133;&#159;&#127;\u{a0}\u{2028}</value>"),
            ("\u{1F600}\u{1}", "<value>&#128512;&#1;</value>"),
            ("<>&'\"]]>", "<value>&lt;&gt;&amp;'\"]]&gt;</value>"),
            ("", "<value/>"),
        ];
        for (value, expected) in cases {
            let text = String::from_utf8(write([("k", value, "Unknown")].into_iter())).unwrap();
            assert!(text.contains(&format!("<name>k</name>{expected}</property>")), "{value:?}: {text}");
        }
    }

    #[test]
    fn reads_where_a_property_came_from() {
        let text = "<configuration><property><!--Loaded from core-default.xml--><name>a</name><value>1</value></property></configuration>";
        let Item::Property(p) = &parse("x.xml", text.as_bytes()).unwrap()[0] else { panic!() };
        assert_eq!(p.loaded_from.as_deref(), Some("core-default.xml"));
    }
}

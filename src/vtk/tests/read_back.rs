//! Reads files of data sets by the rules of VTK's format alone, for tests of what writes them.

use std::collections::BTreeMap;

/// The value of an attribute in a tag.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    tag.split_once(&format!(" {name}=\""))?.1.split_once('"').map(|(value, _)| value)
}

/// A file: its tags in their order, and the bits of each array by `section/name`.
pub(crate) struct ReadBack {
    pub(crate) tags: Vec<String>,
    arrays: BTreeMap<String, (String, usize, Vec<u64>)>,
}

impl ReadBack {
    pub(crate) fn new(bytes: &[u8]) -> Self {
        let mark = b"<AppendedData encoding=\"raw\">\n_";
        let begin = bytes.windows(mark.len()).position(|part| part == mark).expect("appended data") + mark.len();
        let header = std::str::from_utf8(&bytes[..begin - 1]).expect("XML");
        let tags: Vec<String> = header.lines().map(str::to_string).collect();
        assert_eq!(tags[0], "<?xml version=\"1.0\"?>");
        assert!(tags[1].contains("byte_order=\"LittleEndian\" header_type=\"UInt64\""));
        let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"));
        let (mut arrays, mut section, mut end) = (BTreeMap::new(), String::new(), begin);
        for tag in &tags {
            if !tag.starts_with("<DataArray ") {
                section = tag.trim_start_matches('<').trim_end_matches('>').to_string();
                continue;
            }
            let of = |name: &str| attribute(tag, name).expect("an attribute").to_string();
            assert_eq!(of("format"), "appended");
            let at = begin + of("offset").parse::<usize>().expect("an offset");
            // Blocks follow each other without gaps.
            assert_eq!(at, end);
            let size = word(at) as usize;
            end = at + 8 + size;
            let bits = (at + 8..end).step_by(8).map(word).collect();
            let components = of("NumberOfComponents").parse().expect("a number");
            arrays.insert(format!("{section}/{}", of("Name")), (of("type"), components, bits));
        }
        assert_eq!(&bytes[end..], b"\n</AppendedData>\n</VTKFile>\n");
        Self { tags, arrays }
    }

    fn array(&self, name: &str, number: &str, components: usize) -> &[u64] {
        let (found, width, bits) = self.arrays.get(name).unwrap_or_else(|| panic!("{name} of {:?}", self.names()));
        assert_eq!((found.as_str(), *width), (number, components), "{name}");
        bits
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.arrays.keys().map(String::as_str).collect()
    }

    pub(crate) fn floats(&self, name: &str, components: usize) -> Vec<f64> {
        self.array(name, "Float64", components).iter().map(|bits| f64::from_bits(*bits)).collect()
    }

    pub(crate) fn integers(&self, name: &str) -> Vec<u64> {
        self.array(name, "UInt64", 1).to_vec()
    }

    pub(crate) fn indices(&self, name: &str) -> Vec<u64> {
        self.array(name, "Int64", 1).to_vec()
    }
}

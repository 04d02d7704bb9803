//! Buffers of a glTF file: embedded as a chunk, as base64, or in other files of its folder.

use super::super::mesh_file::read_file;
use super::super::raw::{MAX_ELEMENTS, Wrong};
use gltf::json::{
    Index, Root,
    accessor::{Accessor, ComponentType, Type},
    validation::Checked,
};
use std::{
    collections::HashMap,
    path::{Component, Path, PathBuf},
    rc::Rc,
};

pub(super) struct Buffers<'a> {
    root: &'a Root,
    blob: Option<&'a [u8]>,
    folder: Option<&'a Path>,
    loaded: HashMap<usize, Rc<Vec<u8>>>,
    files: HashMap<PathBuf, Rc<Vec<u8>>>,
    /// Total bytes of all files read.
    pub bytes: usize,
}

/// Numbers of an accessor, within the bytes of its buffer.
pub(super) struct Numbers {
    data: Rc<Vec<u8>>,
    first: usize,
    stride: usize,
    pub count: usize,
    pub component: ComponentType,
    pub kind: Type,
    /// Whether integers represent 0 to 1.
    normalized: bool,
}

impl<'a> Buffers<'a> {
    pub fn new(root: &'a Root, blob: Option<&'a [u8]>, folder: Option<&'a Path>) -> Self {
        Self { root, blob, folder, loaded: HashMap::new(), files: HashMap::new(), bytes: 0 }
    }

    /// Numbers of an accessor, after a check that all are within the buffer.
    pub fn numbers(&mut self, index: Index<Accessor>) -> Result<Numbers, Wrong> {
        let field = || format!("accessor {}", index.value());
        let wrong = |message: &str| Wrong::new(message).of(field());
        let root = self.root;
        let accessor = root.get(index).ok_or_else(|| wrong("is not there"))?;
        if accessor.sparse.is_some() {
            return Err(wrong("is sparse, which cannot be read"));
        }
        let (Checked::Valid(component), Checked::Valid(kind)) = (&accessor.component_type, &accessor.type_) else {
            return Err(wrong("is of no known type"));
        };
        let view = accessor.buffer_view.and_then(|view| root.get(view)).ok_or_else(|| wrong("has no buffer view"))?;
        let data = self.buffer(view.buffer.value())?;
        let size = (component.0.size() * kind.multiplicity()) as u64;
        let stride = view.byte_stride.map(|stride| stride.0 as u64).filter(|stride| *stride > 0).unwrap_or(size);
        let count = accessor.count.0;
        if stride < size {
            return Err(wrong("has numbers that overlap"));
        }
        if count > MAX_ELEMENTS as u64 {
            return Err(wrong(&format!("has {count} entries, more than the {MAX_ELEMENTS} that can be read")));
        }
        let offset = accessor.byte_offset.map_or(0, |offset| offset.0);
        let view_offset = view.byte_offset.map_or(0, |offset| offset.0);
        let within_view = count.checked_sub(1).map_or(Some(0), |last| last.checked_mul(stride)?.checked_add(size));
        let end = within_view.and_then(|length| length.checked_add(offset));
        if end.is_none_or(|end| end > view.byte_length.0) {
            return Err(wrong("goes beyond the end of its buffer view"));
        }
        if view_offset.checked_add(view.byte_length.0).is_none_or(|end| end > data.len() as u64) {
            return Err(wrong("has a buffer view that goes beyond the end of its buffer"));
        }
        Ok(Numbers {
            data,
            first: (view_offset + offset) as usize,
            stride: stride as usize,
            count: count as usize,
            component: component.0,
            kind: *kind,
            normalized: accessor.normalized,
        })
    }

    fn buffer(&mut self, index: usize) -> Result<Rc<Vec<u8>>, Wrong> {
        if let Some(data) = self.loaded.get(&index) {
            return Ok(data.clone());
        }
        let wrong = |message: String| Wrong::new(message).of(format!("buffer {index}"));
        let Some(buffer) = self.root.buffers.get(index) else { return Err(wrong("is not there".to_owned())) };
        let data = match &buffer.uri {
            None => match self.blob.filter(|_| index == 0) {
                Some(blob) => Rc::new(blob.to_vec()),
                None => return Err(wrong("has no bytes: neither a uri nor a binary part".to_owned())),
            },
            Some(uri) => match uri.strip_prefix("data:") {
                Some(rest) => Rc::new(embedded(rest).map_err(wrong)?),
                None => self.file(uri).map_err(wrong)?,
            },
        };
        if buffer.byte_length.0 > data.len() as u64 {
            let (length, there) = (buffer.byte_length.0, data.len());
            return Err(wrong(format!("ends too early: it should have {length} bytes, but has {there}")));
        }
        self.loaded.insert(index, data.clone());
        Ok(data)
    }

    /// Bytes of a file in the same folder or below.
    fn file(&mut self, uri: &str) -> Result<Rc<Vec<u8>>, String> {
        let Some(folder) = self.folder else {
            return Err(format!("is in another file, {uri:?}: read the file instead of its bytes"));
        };
        let relative = PathBuf::from(percent_decoded(uri));
        let inside = relative.components().all(|part| matches!(part, Component::Normal(_)));
        // Paths that name a drive or a folder on any system are rejected on all.
        if !inside || relative.as_os_str().is_empty() || relative.to_string_lossy().contains(['\\', ':', '\0']) {
            return Err(format!("is in {uri:?}, which is not inside the folder of the file"));
        }
        if let Some(data) = self.files.get(&relative) {
            return Ok(data.clone());
        }
        let data = Rc::new(read_file(&inside_of(folder, &relative)?).map_err(|error| error.to_string())?);
        self.bytes += data.len();
        self.files.insert(relative, data.clone());
        Ok(data)
    }
}

impl Numbers {
    /// First N components of an entry; N must not exceed their number.
    pub fn entry<const N: usize>(&self, ix: usize) -> [f64; N] {
        let size = self.component.size();
        std::array::from_fn(|component| {
            let place = self.first + ix * self.stride + component * size;
            self.data.get(place..).and_then(|bytes| self.number(bytes)).unwrap_or(f64::NAN)
        })
    }

    fn number(&self, bytes: &[u8]) -> Option<f64> {
        let (value, largest) = match self.component {
            ComponentType::I8 => (f64::from(i8::from_le_bytes(*bytes.first_chunk()?)), f64::from(i8::MAX)),
            ComponentType::U8 => (f64::from(u8::from_le_bytes(*bytes.first_chunk()?)), f64::from(u8::MAX)),
            ComponentType::I16 => (f64::from(i16::from_le_bytes(*bytes.first_chunk()?)), f64::from(i16::MAX)),
            ComponentType::U16 => (f64::from(u16::from_le_bytes(*bytes.first_chunk()?)), f64::from(u16::MAX)),
            ComponentType::U32 => (f64::from(u32::from_le_bytes(*bytes.first_chunk()?)), f64::from(u32::MAX)),
            ComponentType::F32 => return Some(f32::from_le_bytes(*bytes.first_chunk()?).into()),
        };
        Some(if self.normalized { (value / largest).max(-1.0) } else { value })
    }
}

/// Path of a file in a folder with links resolved, which must not leave the folder.
fn inside_of(folder: &Path, relative: &Path) -> Result<PathBuf, String> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let path = folder.join(relative);
    let real = |path: &Path| path.canonicalize().map_err(|error| format!("{}: {error}", path.display()));
    if real(&path)?.starts_with(real(folder)?) {
        return Ok(path);
    }
    Err(format!("is in {relative:?}, a link to what is not inside the folder of the file"))
}

/// Bytes of a data URI, from the text after `data:`.
fn embedded(rest: &str) -> Result<Vec<u8>, String> {
    let Some((_, text)) = rest.split_once(";base64,") else {
        return Err("has a data uri that is not base64".to_owned());
    };
    let text = text.trim_end_matches('=');
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for part in text.as_bytes().chunks(4) {
        let mut word = 0u32;
        for &letter in part {
            let value = match letter {
                b'A'..=b'Z' => letter - b'A',
                b'a'..=b'z' => letter - b'a' + 26,
                b'0'..=b'9' => letter - b'0' + 52,
                b'+' | b'-' => 62,
                b'/' | b'_' => 63,
                _ => return Err(format!("has {:?} in its base64", char::from(letter))),
            };
            word = word << 6 | u32::from(value);
        }
        let [_, a, b, c] = (word << (6 * (4 - part.len()))).to_be_bytes();
        match part.len() {
            4 => bytes.extend([a, b, c]),
            3 => bytes.extend([a, b]),
            2 => bytes.push(a),
            _ => return Err("has base64 that ends within a byte".to_owned()),
        }
    }
    Ok(bytes)
}

/// Text with percent-encoding such as `%20` decoded.
fn percent_decoded(uri: &str) -> String {
    let bytes = uri.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut place = 0;
    while let Some(&byte) = bytes.get(place) {
        let digits =
            bytes.get(place + 1..place + 3).filter(|digits| byte == b'%' && digits.iter().all(u8::is_ascii_hexdigit));
        let code = digits.and_then(|digits| u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok());
        decoded.push(code.unwrap_or(byte));
        place += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

//! A set-up: the text of a scene, and numbers changed in it. What is changed is a list of keys and values, which a file, a link and a rebuilt simulation share.

use crate::gallery;
use std::path::{Path, PathBuf};
use tenter::SceneFile;
use toml_edit::{DocumentMut, Item, Table, Value};

/// A scene with changes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Setup {
    /// Name of a built-in scene, or of a file.
    pub name: String,
    /// Path of a file, to which paths in it are relative.
    pub path: Option<PathBuf>,
    /// Text of the scene.
    pub text: String,
    /// Changed keys, such as `simulation.time_step` or `body.0.mesh.columns`, with their values as TOML.
    pub changes: Vec<(String, String)>,
}

impl Setup {
    /// A built-in scene.
    pub fn built_in(name: &str) -> Option<Self> {
        let scene = gallery::find(name)?;
        Some(Self { name: name.to_owned(), text: scene.text.to_owned(), ..Self::default() })
    }

    /// A built-in scene by its name, or a file by its path.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn open(name: &str) -> Result<Self, tenter::Error> {
        if let (Some(setup), false) = (Self::built_in(name), Path::new(name).exists()) {
            return Ok(setup);
        }
        let path = PathBuf::from(name);
        let text = std::fs::read_to_string(&path).map_err(|source| tenter::Error::Io { path: path.clone(), source })?;
        Ok(Self::of_text(name, text, Some(path)))
    }

    /// The text of a scene file.
    pub fn of_text(name: &str, text: String, path: Option<PathBuf>) -> Self {
        let name =
            Path::new(name).file_name().map_or_else(|| name.to_owned(), |name| name.to_string_lossy().into_owned());
        Self { name, path, text, changes: Vec::new() }
    }

    /// A scene of one mesh, which falls on a floor.
    pub fn of_mesh(path: &str) -> Self {
        let file = toml_edit::value(path).to_string();
        let text = format!(
            "# A mesh, dropped on a floor.\n[[body]]\nmesh = {{ kind = \"file\", file = {} }}\nmaterial = {{ preset = \"cotton\" }}\n\n[[collider]]\nshape = \"plane\"\npoint = [0, -1, 0]\nnormal = [0, 1, 0]\n",
            file.trim()
        );
        Self { name: path.to_owned(), path: None, text, changes: Vec::new() }
    }

    /// Changes a value, given as TOML.
    pub fn change(&mut self, key: &str, value: String) {
        self.changes.retain(|(known, _)| known != key);
        self.changes.push((key.to_owned(), value));
    }

    /// The text with all changes.
    pub fn changed_text(&self) -> Result<String, String> {
        if self.changes.is_empty() {
            return Ok(self.text.clone());
        }
        let mut document: DocumentMut = self.text.parse().map_err(|error| format!("{}: {error}", self.name))?;
        for (key, value) in &self.changes {
            let value: Value = value.parse().map_err(|_| format!("{key}: {value} is no value"))?;
            put(document.as_item_mut(), key, value).ok_or_else(|| format!("the scene has no {key}"))?;
        }
        Ok(document.to_string())
    }

    /// The checked scene.
    pub fn parse(&self) -> Result<SceneFile, String> {
        let path =
            self.path.clone().unwrap_or_else(|| PathBuf::from(format!("{}.toml", self.name.trim_end_matches(".toml"))));
        SceneFile::parse(&self.changed_text()?, path).map_err(|error| error.to_string())
    }

    /// The query of a link that shows this set-up; only built-in scenes have one.
    pub fn query(&self) -> String {
        let mut query = format!("scene={}", escape(&self.name));
        for (key, value) in &self.changes {
            query += &format!("&{}={}", escape(key), escape(value));
        }
        query
    }

    /// The set-up of a link.
    pub fn of_query(query: &str) -> Option<Self> {
        let mut setup = None;
        let mut changes = Vec::new();
        for pair in query.trim_start_matches(['?', '#']).split('&') {
            let Some((key, value)) = pair.split_once('=') else { continue };
            match (key, unescape(value)) {
                ("scene", name) => setup = Self::built_in(&name),
                (key, value) if key.contains('.') => changes.push((unescape(key), value)),
                _ => {}
            }
        }
        setup.map(|setup: Self| Self { changes, ..setup })
    }
}

/// Puts a value at a dotted key: numbers name entries of lists, missing tables are made.
fn put(item: &mut Item, key: &str, value: Value) -> Option<()> {
    let Some((first, rest)) = key.split_once('.') else {
        if let Some(array) = item.as_array_mut()
            && let Ok(ix) = key.parse::<usize>()
        {
            *array.get_mut(ix)? = value;
            return Some(());
        }
        let decor = item.as_table_like()?.get(key).and_then(Item::as_value).map(|old| old.decor().clone());
        let mut value = value;
        if let Some(decor) = decor {
            *value.decor_mut() = decor;
        }
        item.as_table_like_mut()?.insert(key, Item::Value(value));
        return Some(());
    };
    if let Ok(ix) = first.parse::<usize>() {
        if let Some(tables) = item.as_array_of_tables_mut() {
            // An entry is a table; wrapped for the recursion, and put back.
            let table = tables.get_mut(ix)?;
            let mut own = Item::Table(std::mem::take(table));
            let put = put(&mut own, rest, value);
            *table = own.into_table().ok()?;
            return put;
        }
        return None;
    }
    let table = item.as_table_like_mut()?;
    if !table.contains_key(first) {
        table.insert(first, Item::Table(Table::new()));
    }
    put(table.get_mut(first)?, rest, value)
}

fn escape(text: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.,".contains(byte);
    text.bytes().map(|byte| if plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

fn unescape(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut plain, mut ix) = (Vec::new(), 0);
    while let Some(&byte) = bytes.get(ix) {
        let code = bytes.get(ix + 1..ix + 3).and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()).filter(|_| byte == b'%') {
            Some(code) => {
                plain.push(code);
                ix += 3;
            }
            None => {
                plain.push(byte);
                ix += 1;
            }
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_reach_the_scene_and_leave_comments_alone() {
        let mut setup = Setup::built_in("drape").unwrap();
        setup.change("simulation.time_step", "0.005".to_owned());
        setup.change("body.0.mesh.columns", "20".to_owned());
        setup.change("body.0.mesh.rows", "21".to_owned());
        setup.change("air.wind", "[1.0, 0.0, 2.0]".to_owned());
        setup.change("safe.tolerance", "1e-3".to_owned());
        setup.change("collider.0.friction", "0.9".to_owned());
        let text = setup.changed_text().unwrap();
        assert!(text.contains("time_step = 0.005            # s"), "{text}");
        let file = setup.parse().unwrap();
        assert_eq!((file.options.time_step, file.scene.bodies[0].mesh.positions.len()), (0.005, 420));
        assert_eq!(file.scene.air.unwrap().wind.z, 2.0);
        assert_eq!(file.scene.colliders[0].friction, 0.9);
        setup.change("body.7.mesh.rows", "3".to_owned());
        assert!(setup.parse().is_err());
    }

    #[test]
    fn a_link_holds_scene_and_changes() {
        let mut setup = Setup::built_in("flag").unwrap();
        setup.change("air.wind", "[20.0, 0.0, -3.5]".to_owned());
        setup.change("body.0.material.density", "0.2".to_owned());
        assert_eq!(Setup::of_query(&format!("?{}", setup.query())), Some(setup));
        assert_eq!(Setup::of_query("?scene=nothing-of-the-kind"), None);
        assert_eq!(unescape("%e4%bd%a0%"), "你%");
    }

    #[test]
    fn every_built_in_scene_is_one() {
        assert!(gallery::SCENES.len() > 20);
        for scene in gallery::SCENES {
            assert!(!scene.about().is_empty(), "{}", scene.name);
        }
    }
}

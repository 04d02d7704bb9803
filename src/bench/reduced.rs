//! Scene files on coarser meshes, for tests and checksums of every built-in scene.

/// Fraction of the vertices along each side that remains.
const PART: f64 = 0.45;

/// Text of a scene file with fewer `columns`, `rows` and `cells`, but at least four.
pub fn reduced(text: &str) -> String {
    let smaller = |number: f64| (PART * number).round().max(number.min(4.0)).to_string();
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut line = line.to_owned();
        for key in ["columns = ", "rows = ", "cells = "] {
            let Some(start) = line.find(key).map(|start| start + key.len()) else { continue };
            let end = line[start..].find(|c: char| !c.is_ascii_digit()).map_or(line.len(), |end| start + end);
            if let Ok(number) = line[start..end].parse() {
                line = format!("{}{}{}", &line[..start], smaller(number), &line[end..]);
            }
        }
        lines.push(line);
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::reduced;

    #[test]
    fn counts_shrink_and_nothing_else_changes() {
        let text = "mesh = { kind = \"grid\", columns = 64, rows = 9 }\ncells = [3]\ncolumns = 5";
        assert_eq!(reduced(text), "mesh = { kind = \"grid\", columns = 29, rows = 4 }\ncells = [3]\ncolumns = 4");
    }
}

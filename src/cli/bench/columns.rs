//! Text tables: the first column left-aligned, numbers right-aligned.

/// Formats a table. The headings have a line for the name and one for the unit.
pub fn columns(headings: &[[&str; 2]], rows: &[Vec<String>]) -> String {
    let heading = |line: usize| headings.iter().map(|heading| heading[line].to_owned()).collect::<Vec<_>>();
    let mut lines = vec![heading(0), heading(1)];
    lines.extend(rows.iter().cloned());
    let cell = |line: &[String], column: usize| line.get(column).cloned().unwrap_or_default();
    let widths: Vec<usize> = (0..headings.len())
        .map(|column| lines.iter().map(|line| cell(line, column).chars().count()).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for line in &lines {
        let cells: Vec<String> = widths
            .iter()
            .enumerate()
            .map(|(column, &width)| match column {
                0 => format!("{:<width$}", cell(line, 0)),
                _ => format!("{:>width$}", cell(line, column)),
            })
            .collect();
        text += cells.join("  ").trim_end();
        text.push('\n');
    }
    text
}

/// A number with three significant digits, without exponent.
pub fn three_digits(value: f64) -> String {
    let magnitude = value.abs();
    let decimals = match magnitude {
        m if m >= 100.0 => 0,
        m if m >= 10.0 => 1,
        m if m >= 1.0 => 2,
        m if m >= 0.1 => 3,
        _ => 4,
    };
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_three_digits() {
        let text = [1234.5, 123.4, 12.34, 1.234, 0.1234, 0.01234, 0.0].map(three_digits);
        assert_eq!(text, ["1234", "123", "12.3", "1.23", "0.123", "0.0123", "0.0000"]);
    }

    #[test]
    fn columns_line_up() {
        let rows = vec![vec!["a".to_owned(), "1.5".to_owned()], vec!["long".to_owned(), "22.5".to_owned()]];
        assert_eq!(columns(&[["x", ""], ["time", "ms"]], &rows), "x     time\n        ms\na      1.5\nlong  22.5\n");
    }
}

//! A ParaView collection: the file of each time.

use std::io::{self, Write};

/// Writes a list of times, s, and file names relative to this file.
pub fn write(writer: &mut dyn Write, files: &[(f64, String)]) -> io::Result<()> {
    writeln!(writer, "<?xml version=\"1.0\"?>")?;
    writeln!(writer, "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n  <Collection>")?;
    for (time, file) in files {
        let file = escaped(file);
        writeln!(writer, "    <DataSet timestep=\"{time}\" group=\"\" part=\"0\" file=\"{file}\"/>")?;
    }
    writeln!(writer, "  </Collection>\n</VTKFile>")
}

/// Text escaped for an XML attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

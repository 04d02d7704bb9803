//! Charts with two logarithmic axes: lines, and labelled points.

use super::labels;
use plotters::{
    coord::{Shift, combinators::WithKeyPoints},
    element::DashedPathElement,
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};
use std::{io, ops::Range};

const SIZE: (u32, u32) = (900, 600);
const FONT: &str = "sans-serif";
const INK: RGBColor = RGBColor(60, 60, 60);
const FAINT: RGBColor = RGBColor(225, 225, 225);
/// Font size of a point's label, pixels.
const LABEL_SIZE: i32 = 13;

pub const BLUE: RGBColor = RGBColor(31, 95, 175);
pub const ORANGE: RGBColor = RGBColor(214, 108, 22);
pub const GREY: RGBColor = RGBColor(120, 120, 120);

/// A chart to draw.
pub struct Chart {
    pub title: String,
    pub subtitle: String,
    pub x_label: &'static str,
    pub y_label: &'static str,
    pub lines: Vec<Line>,
    pub dots: Vec<Dots>,
}

/// A polyline.
pub struct Line {
    pub name: &'static str,
    pub colour: RGBColor,
    pub dashed: bool,
    pub points: Vec<(f64, f64)>,
}

/// Labelled points.
pub struct Dots {
    pub name: &'static str,
    pub colour: RGBColor,
    pub points: Vec<((f64, f64), String)>,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type LogAxis = WithKeyPoints<LogCoord<f64>>;
type LogPlane = Cartesian2d<LogAxis, LogAxis>;

impl Chart {
    /// The chart as SVG.
    pub fn svg(&self) -> io::Result<String> {
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
            self.draw(&area).and_then(|()| area.present()).map_err(|error| io::Error::other(error.to_string()))?;
        }
        Ok(svg)
    }

    fn draw<'a>(&self, area: &Area<'a>) -> Result<(), DrawingAreaErrorKind<io::Error>> {
        area.fill(&WHITE)?;
        area.draw(&Text::new(self.title.clone(), (24, 18), (FONT, 20).into_font().color(&BLACK)))?;
        area.draw(&Text::new(self.subtitle.clone(), (24, 46), (FONT, 13).into_font().color(&INK)))?;
        let (x, y) = self.ranges();
        let mut chart = ChartBuilder::on(area)
            .margin(20)
            .margin_top(76)
            .x_label_area_size(48)
            .y_label_area_size(72)
            .build_cartesian_2d(axis(x), axis(y))?;
        chart
            .configure_mesh()
            .x_desc(self.x_label)
            .y_desc(self.y_label)
            .x_label_formatter(&|value| plain(*value))
            .y_label_formatter(&|value| plain(*value))
            .axis_desc_style((FONT, 15).into_font().color(&BLACK))
            .label_style((FONT, 13).into_font().color(&INK))
            .bold_line_style(FAINT)
            .light_line_style(TRANSPARENT)
            .draw()?;
        for line in &self.lines {
            let style = ShapeStyle::from(line.colour).stroke_width(2);
            let points = line.points.iter().copied();
            let drawn = if line.dashed {
                chart.draw_series(DashedLineSeries::new(points, 8, 5, style))?
            } else {
                chart.draw_series(LineSeries::new(points, style))?
            };
            if !line.name.is_empty() {
                // A dash as long as the line makes it solid.
                let (dash, gap) = if line.dashed { (6, 4) } else { (20, 1) };
                drawn
                    .label(line.name)
                    .legend(move |(x, y)| DashedPathElement::new([(x, y), (x + 20, y)], dash, gap, style));
            }
        }
        for dots in &self.dots {
            let style = ShapeStyle::from(dots.colour).filled();
            let circles = dots.points.iter().map(|(point, _)| Circle::new(*point, 5, style));
            let drawn = chart.draw_series(circles)?;
            drawn.label(dots.name).legend(move |(x, y)| Circle::new((x + 10, y), 5, style));
        }
        self.name_points(area, &chart)?;
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .margin(12)
            .background_style(WHITE.mix(0.9))
            .border_style(FAINT)
            .label_font((FONT, 13).into_font().color(&BLACK))
            .draw()
    }

    fn name_points<'a>(
        &self,
        area: &Area<'a>,
        chart: &ChartContext<'_, SVGBackend<'a>, LogPlane>,
    ) -> Result<(), DrawingAreaErrorKind<io::Error>> {
        let named = self.dots.iter().flat_map(|dots| &dots.points);
        let points: Vec<((i32, i32), &str)> =
            named.map(|(point, name)| (chart.backend_coord(point), name.as_str())).collect();
        let places = labels::arrange(&points, 7, LABEL_SIZE + 2);
        for (place, (_, name)) in places.iter().zip(&points).filter(|(_, (_, name))| !name.is_empty()) {
            // A translucent box behind each label dims the lines.
            let (left, top) = (place.left, place.top);
            let behind = [(left - 2, top), (left + place.width, top + place.height)];
            area.draw(&Rectangle::new(behind, WHITE.mix(0.75).filled()))?;
            let style = (FONT, LABEL_SIZE).into_font().color(&BLACK);
            let (x, side) = if place.ends { (left + place.width, HPos::Right) } else { (left, HPos::Left) };
            area.draw(&Text::new(*name, (x, top), style.pos(Pos::new(side, VPos::Top))))?;
        }
        Ok(())
    }

    /// Ranges of the axes, with room for labels at the right.
    fn ranges(&self) -> (Range<f64>, Range<f64>) {
        let lines = self.lines.iter().flat_map(|line| line.points.iter().copied());
        let dots = self.dots.iter().flat_map(|dots| dots.points.iter().map(|(point, _)| *point));
        let points: Vec<(f64, f64)> = lines.chain(dots).collect();
        let range = |pick: fn(&(f64, f64)) -> f64, room_above: f64| {
            let values = points.iter().map(pick).filter(|value| value.is_finite() && *value > 0.0);
            let (least, most) = values.fold((f64::INFINITY, 0.0), |(a, b): (f64, f64), v| (a.min(v), b.max(v)));
            if least > most { 1.0..10.0 } else { least / 1.5..most * room_above }
        };
        (range(|point| point.0, 2.0), range(|point| point.1, 2.5))
    }
}

/// A logarithmic axis, marked at powers of ten, and between them if there are few.
fn axis(range: Range<f64>) -> LogAxis {
    let decades = (range.end / range.start).log10();
    let digits: &[f64] = if decades < 2.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let powers = range.start.log10().floor() as i32..=range.end.log10().ceil() as i32;
    let marks = powers.flat_map(|power| digits.iter().map(move |digit| digit * 10f64.powi(power)));
    let marks: Vec<f64> = marks.filter(|mark| range.contains(mark)).collect();
    range.log_scale().with_key_points(marks)
}

/// A number without exponent and without trailing zeros.
fn plain(value: f64) -> String {
    let text = if value >= 1.0 { format!("{value:.0}") } else { format!("{value:.6}") };
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

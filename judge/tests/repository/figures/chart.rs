//! Bar charts as SVG.

use std::fmt::Write;

const WIDTH: f64 = 800.0;
/// Pixels left of the bars, for their labels, and right of them, for their values.
const LEFT: f64 = 300.0;
const RIGHT: f64 = 60.0;
const BAR: f64 = 15.0;
/// Pixels between two rows of bars.
const GAP: f64 = 9.0;
/// Pixels above the bars: the legend and what the line at 1 is.
const TOP: f64 = 52.0;
const COLORS: [&str; 5] = ["#1f6feb", "#8250df", "#bf8700", "#6e7781", "#afb8c1"];

/// Bars in rows: one bar of each series per row.
pub struct Chart<'a> {
    pub title: &'a str,
    /// The name of each series.
    pub series: &'a [&'a str],
    /// Label and values of each row; `None` was not measured.
    pub rows: &'a [(String, Vec<Option<f64>>)],
    /// Meaning of the value 1.
    pub one: &'a str,
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

impl Chart<'_> {
    /// The chart as an SVG document.
    pub fn svg(&self) -> String {
        let row_height = (self.series.len() as f64).mul_add(BAR, GAP);
        let bottom = (self.rows.len() as f64).mul_add(row_height, TOP);
        let height = bottom + 12.0;
        let values = self.rows.iter().flat_map(|(_, values)| values);
        let max = values
            .flatten()
            .fold(1.0, |max: f64, value| max.max(*value));
        let pixels = (WIDTH - LEFT - RIGHT) / max;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\">\n\
             <title>{title}</title>\n\
             <style>text {{ font: 13px system-ui, sans-serif; fill: #1f2328 }} .one {{ stroke: #cf222e; stroke-dasharray: 4 3 }}</style>\n\
             <rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"#ffffff\"/>\n",
            title = escaped(self.title)
        );
        self.draw_legend(&mut svg);
        for (k, (label, values)) in self.rows.iter().enumerate() {
            let y = (k as f64).mul_add(row_height, TOP);
            let middle = y + (row_height - GAP) / 2.0 + 4.5;
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{middle}\" text-anchor=\"end\">{}</text>",
                LEFT - 8.0,
                escaped(label)
            );
            for (series, value) in values.iter().enumerate() {
                let y = (series as f64).mul_add(BAR, y);
                draw_bar(&mut svg, y, *value, pixels, COLORS[series]);
            }
        }
        let x = LEFT + pixels;
        let _ = writeln!(
            svg,
            "<line class=\"one\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{}\" y2=\"{bottom}\"/>\n\
             <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">1 = {}</text>",
            TOP - 4.0,
            TOP - 10.0,
            escaped(self.one)
        );
        svg + "</svg>\n"
    }

    /// The names of the series, if there are several.
    fn draw_legend(&self, svg: &mut String) {
        if self.series.len() == 1 {
            return;
        }
        let mut x = 14.0;
        for (name, color) in self.series.iter().zip(COLORS) {
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"10\" width=\"12\" height=\"12\" fill=\"{color}\"/>\n\
                 <text x=\"{}\" y=\"20.5\">{}</text>",
                x + 17.0,
                escaped(name)
            );
            x += (name.chars().count() as f64).mul_add(7.2, 38.0);
        }
    }
}

/// A bar and its value.
fn draw_bar(svg: &mut String, y: f64, value: Option<f64>, pixels: f64, color: &str) {
    let Some(value) = value else {
        return;
    };
    let width = value * pixels;
    let _ = writeln!(
        svg,
        "<rect x=\"{LEFT}\" y=\"{y}\" width=\"{width:.1}\" height=\"{}\" fill=\"{color}\"/>\n\
         <text x=\"{:.1}\" y=\"{}\">{value:.2}</text>",
        BAR - 2.0,
        LEFT + width + 5.0,
        y + 11.0
    );
}

//! Gantt charts: the lanes of a plan or an episode as text, and as an SVG image.

use crate::lanes::{Kind, Lane, Mark, Span};

/// The width of a tick in an image, in pixels.
const TICK: u32 = 34;
/// The height of a lane in an image, in pixels.
const LANE: u32 = 26;
/// The width of a letter in an image, in pixels, rounded up.
const LETTER: u32 = 7;
/// The height of the axis in an image, in pixels.
const AXIS: u32 = 24;
/// The most letters of a lane's name in an image.
const NAME: usize = 28;

/// Colours of agents that people with any colour vision tell apart: M. Okabe, K. Ito, "Color Universal Design", 2008.
const COLOURS: [&str; 6] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
];

/// The number of ticks that lanes take.
pub fn length(lanes: &[Lane]) -> u32 {
    let ends = lanes
        .iter()
        .flat_map(|lane| &lane.spans)
        .map(|span| span.to);
    ends.max().unwrap_or(0)
}

/// The lanes as text, of a width for each tick that fits the longest text up to `width` columns in all: what does not
/// fit is cut off, and the list below the chart has it in full.
pub fn text(lanes: &[Lane], width: usize) -> String {
    let names = lanes.iter().map(|lane| lane.name.chars().count()).max();
    let names = names.unwrap_or(0).min(NAME);
    let ticks = length(lanes).max(1) as usize;
    let cell = (width.saturating_sub(names + 2) / ticks).clamp(2, 12);
    let mut text = format!("{:names$} ", "");
    let every = if cell < 4 { 5 } else { 1 };
    for tick in 0..ticks {
        let number = if tick % every == 0 {
            tick.to_string()
        } else {
            String::new()
        };
        text.push_str(&format!("|{number:<width$}", width = cell - 1));
    }
    text = text.trim_end().to_owned();
    text.push('\n');
    for lane in lanes {
        let mut line = format!("{:names$} ", clip(&lane.name, names));
        let mut at = 0;
        for span in &lane.spans {
            let (from, to) = (span.from as usize, span.to as usize);
            line.push_str(&" ".repeat((from - at) * cell));
            line.push_str(&piece(span, (to - from) * cell));
            at = to;
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A piece of a lane in a number of columns.
fn piece(span: &Span, columns: usize) -> String {
    let inner = columns - 1;
    match span.mark {
        Mark::Wait => format!("|{:<inner$}", clip("·", inner)),
        Mark::Timer => format!("|{}", "~".repeat(inner)),
        Mark::Act | Mark::State => {
            let text = clip(&span.text, inner);
            let rest = inner - text.chars().count();
            let fill = if span.mark == Mark::Act { "=" } else { " " };
            format!("|{text}{}", fill.repeat(rest))
        }
    }
}

fn clip(text: &str, columns: usize) -> String {
    if text.chars().count() <= columns {
        return text.to_owned();
    }
    let mut clipped: String = text.chars().take(columns.saturating_sub(1)).collect();
    if columns > 0 {
        clipped.push('…');
    }
    clipped
}

/// The lanes as an SVG image, which needs nothing else to be shown.
pub fn svg(title: &str, lanes: &[Lane]) -> String {
    let names = lanes.iter().map(|lane| lane.name.chars().count()).max();
    let left = names.unwrap_or(0).min(NAME) as u32 * LETTER + 12;
    let ticks = length(lanes).max(1);
    let (width, height) = (
        left + ticks * TICK + 12,
        AXIS + lanes.len() as u32 * LANE + 8,
    );
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n<title>{}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n",
        escaped(title)
    );
    for tick in 0..=ticks {
        let x = left + tick * TICK;
        svg.push_str(&format!(
            "<path d=\"M{x} {AXIS}V{height}\" stroke=\"#ddd\"/>\
             <text x=\"{x}\" y=\"16\" fill=\"#555\" text-anchor=\"middle\">{tick}</text>\n"
        ));
    }
    let mut agents = 0;
    for (row, lane) in (0..).zip(lanes) {
        let y = AXIS + row * LANE;
        let colour = match lane.kind {
            Kind::Agent => {
                agents += 1;
                COLOURS[(agents - 1) % COLOURS.len()]
            }
            Kind::Object => "#777",
            Kind::Timer => "#a33",
        };
        let name = escaped(&clip(&lane.name, NAME));
        svg.push_str(&format!(
            "<text x=\"4\" y=\"{}\" fill=\"#222\">{name}</text>\n",
            y + 17
        ));
        for span in &lane.spans {
            svg.push_str(&box_of(span, lane.kind, colour, left, y));
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// A piece of a lane. Actions are filled, facts and live effects framed, so that they differ without colours.
fn box_of(span: &Span, kind: Kind, colour: &str, left: u32, y: u32) -> String {
    let (x, width) = (left + span.from * TICK, (span.to - span.from) * TICK - 2);
    let (fill, ink, dash) = match (kind, span.mark) {
        (_, Mark::Wait) => ("none", "#777", " stroke-dasharray=\"1 4\""),
        (Kind::Agent, _) => (colour, "#fff", ""),
        (Kind::Object, _) => ("#f4f4f4", "#222", ""),
        (Kind::Timer, _) => ("#fbeeee", "#622", " stroke-dasharray=\"4 2\""),
    };
    let letters = (width.saturating_sub(6) / LETTER) as usize;
    let shown = if span.mark == Mark::Wait {
        String::new()
    } else {
        clip(&span.text, letters)
    };
    format!(
        "<g><title>{}, ticks {} to {}</title><rect x=\"{x}\" y=\"{}\" width=\"{width}\" height=\"{}\" rx=\"3\" \
         fill=\"{fill}\" stroke=\"{colour}\"{dash}/><text x=\"{}\" y=\"{}\" fill=\"{ink}\">{}</text></g>\n",
        escaped(&span.text),
        span.from,
        span.to - 1,
        y + 3,
        LANE - 6,
        x + 4,
        y + 17,
        escaped(&shown)
    )
}

/// A text as XML, without characters that XML does not have.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(' '),
            letter if letter.is_control() => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::{Kind, Lane, Mark, Span, svg, text};

    fn lanes() -> Vec<Lane> {
        let span = |from, to, text: &str, mark| Span {
            from,
            to,
            text: text.to_owned(),
            mark,
        };
        vec![
            Lane {
                kind: Kind::Agent,
                name: "chef".to_owned(),
                spans: vec![
                    span(0, 2, "cut <egg>", Mark::Act),
                    span(2, 3, "wait", Mark::Wait),
                ],
            },
            Lane {
                kind: Kind::Timer,
                name: "(after 2 (boiled egg))".to_owned(),
                spans: vec![span(1, 3, "(after 2 (boiled egg))", Mark::Timer)],
            },
        ]
    }

    #[test]
    fn a_chart_in_text_has_a_column_for_each_tick() {
        let chart = [
            "                       |0          |1          |2",
            "chef                   |cut <egg>==============|·",
            "(after 2 (boiled egg))             |~~~~~~~~~~~~~~~~~~~~~~~",
        ];
        assert_eq!(text(&lanes(), 60).lines().collect::<Vec<_>>(), chart);
    }

    #[test]
    fn an_image_escapes_what_it_shows() {
        let image = svg("a & b", &lanes());
        assert!(image.contains("<title>a &amp; b</title>"));
        assert!(image.contains("cut &lt;egg&gt;") && !image.contains("<egg>"));
    }
}

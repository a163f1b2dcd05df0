// The timeline: a lane for each agent, object and timer, with a cursor. Of wide ones only what is in sight is drawn.

const LANE = 24;
const AXIS = 22;
const MARK_ROW = 24;
const LEAST_TICK = 15;
const GREATEST_TICK = 110;
const CHARACTER = 6.3;
const KINDS = ["agent", "object", "timer"];
const FOLDED_FROM = 9;

// Measures an element's width and how far it is scrolled.
function useSight(box) {
  const [sight, setSight] = useState({ left: 0, width: 800 });
  useLayoutEffect(() => {
    const element = box.current;
    const read = () =>
      setSight((old) =>
        old.left === element.scrollLeft && old.width === element.clientWidth
          ? old
          : { left: element.scrollLeft, width: element.clientWidth },
      );
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    element.addEventListener("scroll", read, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", read);
    };
  }, []);
  return sight;
}

// Returns a step for labels of the axis that leaves room between them.
const axisStep = (size) => [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((it) => it * size >= 34) ?? 5000;

function Span({ span, y, size, style }) {
  const [x, width] = [span.from * size, (span.to - span.from) * size];
  const room = Math.floor((width - 8) / CHARACTER);
  const text = show(span.text);
  return html`<g class=${`span ${span.mark}`} style=${style}>
    <title>${text} (${span.from}–${span.to})</title>
    <rect x=${x + 1} y=${y + 2} width=${Math.max(1, width - 2)} height=${LANE - 4} rx="2" />
    ${
      (span.mark === "act" || span.mark === "busy") &&
      html`<rect class="edge" x=${x + 1} y=${y + 2} width="3" height=${LANE - 4} />`
    }
    ${room >= 3 && span.mark !== "wait" && html`<text x=${x + 7} y=${y + LANE / 2 + 4}>${cut(text, room)}</text>`}
  </g>`;
}

// Draws the marks of a step: refusals, messages and calls, one above the other.
function StepMarks({ mark, x, y }) {
  return html`<g transform=${`translate(${x} ${y})`}>
    ${mark.refusals > 0 && html`<path class="mark-refusal" d="M-4 7 L0 0 L4 7 Z" />`}
    ${mark.messages > 0 && html`<rect class="mark-message" x="-3" y="9" width="6" height="5" />`}
    ${mark.calls > 0 && html`<circle class="mark-call" cx="0" cy="19" r="3" />`}
  </g>`;
}

// Marks a tick that the process metrics name.
function Flag({ flag, size, height }) {
  const x = (flag.tick + 0.5) * size;
  return html`<g class="flag">
    <title>tick ${flag.tick}: ${show(flag.text)}</title>
    <line x1=${x} x2=${x} y1=${AXIS - 6} y2=${height} /><path d=${`M${x} ${AXIS - 7} l7 3.5 l-7 3.5 Z`} />
  </g>`;
}

function LaneLabels({ rows, onFold }) {
  return html`<div class="lane-labels">
    <div style=${`height:${AXIS}px`} class="soft">tick</div>
    ${rows.map((row) =>
      row.fold
        ? html`<button
            class="lane-fold"
            style=${`height:${row.height}px`}
            aria-expanded=${row.open ? "true" : "false"}
            onClick=${() => onFold(row.fold)}
          >
            ${row.open ? "▾" : "▸"} ${row.name}
          </button>`
        : html`<div style=${`height:${row.height}px;${row.style ?? ""}`} class=${`lane-${row.kind}`} title=${show(row.name)}>
            ${row.kind === "agent" ? html`<span class="agent">${agentName(row.name)}</span>` : show(row.name)}
          </div>`,
    )}
  </div>`;
}

// Returns the rows of the timeline, from the top: agents, marks, then objects and timers, which fold.
function timelineRows(lanes, names, marks, folded) {
  const of = (kind) => lanes.filter((lane) => lane.kind === kind);
  const rows = of("agent").map((lane) => ({ ...lane, height: LANE + 2, style: agentStyle(names, lane.name) }));
  if (marks?.some((mark) => mark.any)) rows.push({ kind: "marks", name: "events", height: MARK_ROW });
  for (const kind of KINDS.slice(1)) {
    const some = of(kind);
    if (!some.length) continue;
    const open = !folded[kind];
    rows.push({ fold: kind, name: counted(some.length, kind), open, height: 20 });
    if (open) rows.push(...some.map((lane) => ({ ...lane, height: LANE })));
  }
  return rows;
}

// Draws lanes over ticks 0..=last. `marks` holds what happened in each step, `flags` are ticks of
// note; `below` draws further rows of height `belowHeight` in the same scale, labelled by `belowLabel`.
function Timeline({ lanes, names, last, tick, onTick, marks, flags = [], below, belowHeight = 0, belowLabel }) {
  const box = useRef(null);
  const sight = useSight(box);
  const [zoom, setZoom] = useState(1);
  const [folded, setFolded] = useState(() =>
    Object.fromEntries(KINDS.map((kind) => [kind, lanes.filter((lane) => lane.kind === kind).length >= FOLDED_FROM])),
  );
  const fit = (sight.width - 2) / (last + 1);
  const size = clamp(clamp(fit, LEAST_TICK, GREATEST_TICK) * zoom, 3, 220);
  const rows = timelineRows(lanes, names, marks, folded);
  const laneHeight = rows.reduce((sum, row) => sum + row.height, AXIS);
  const height = laneHeight + belowHeight;
  const width = Math.max(sight.width - 2, Math.ceil((last + 1) * size));
  const from = Math.max(0, Math.floor(sight.left / size) - 10);
  const to = Math.min(last + 1, Math.ceil((sight.left + sight.width) / size) + 10);
  useEffect(() => {
    const element = box.current;
    const [left, right] = [tick * size, (tick + 1) * size];
    const margin = Math.min(80, sight.width / 4);
    if (left < element.scrollLeft + margin) element.scrollLeft = left - margin;
    else if (right > element.scrollLeft + element.clientWidth - margin)
      element.scrollLeft = right - element.clientWidth + margin;
  }, [tick, size]);
  const drawing = useMemo(() => {
    const step = axisStep(size);
    const parts = [];
    let y = AXIS;
    for (const row of rows) {
      const base = y;
      y += row.height;
      if (row.fold) continue;
      parts.push(html`<line class="rule" x1="0" x2=${width} y1=${y} y2=${y} />`);
      if (row.kind === "marks") {
        for (let at = from; at < Math.min(to, marks.length); at++)
          if (marks[at].any) parts.push(html`<${StepMarks} mark=${marks[at]} x=${(at + 0.5) * size} y=${base + 1} />`);
        continue;
      }
      for (const span of row.spans)
        if (span.to >= from && span.from <= to && span.to > span.from)
          parts.push(html`<${Span} ...${{ span, size }} y=${base} style=${row.style ?? ""} />`);
    }
    const grid = [];
    for (let at = Math.ceil(from / step) * step; at <= Math.min(to, last); at += step)
      grid.push(
        html`<line class="grid" x1=${at * size} x2=${at * size} y1=${AXIS - 4} y2=${height} />
          <text class="axis" x=${at * size + 2} y="14">${at}</text>`,
      );
    const flagged = flags.map((flag) => html`<${Flag} ...${{ flag, size }} height=${laneHeight} />`);
    const foot = below && html`<g transform=${`translate(0 ${laneHeight})`}>${below({ from, to, size, width })}</g>`;
    return html`<g>${grid}${flagged}${parts}${foot}</g>`;
  }, [lanes, marks, folded, size, from, to, width, height, below]);
  const pick = (event) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    onTick(clamp(Math.floor(x / size), 0, last));
  };
  return html`<div class="timeline">
    <div class="timeline-side">
      <${LaneLabels} rows=${rows} onFold=${(kind) => setFolded((old) => ({ ...old, [kind]: !old[kind] }))} />
      ${belowLabel && html`<div class="below-label" style=${`height:${belowHeight}px`}>${belowLabel}</div>`}
    </div>
    <div class="timeline-scroll" ref=${box} tabindex="0" role="group" aria-label="lanes">
      <svg
        width=${width}
        height=${height}
        role="img"
        aria-label=${`timeline of ${counted(last, "tick")}, cursor at ${tick}`}
        onClick=${pick}
        onPointerMove=${(event) => event.pointerType === "mouse" && event.buttons & 1 && pick(event)}
      >
        <rect class="cursor" x=${tick * size} y="0" width=${size} height=${height} />
        ${drawing}
        <rect class="cursor-line" x=${tick * size} y="0" width=${size} height=${height} />
        <g transform=${`translate(${tick * size + size / 2} 10)`} class="cursor-tick">
          <rect x="-13" y="-9" width="26" height="17" rx="3" /><text y="4">${tick}</text>
        </g>
      </svg>
    </div>
    <div class="zoom" role="group" aria-label="width of a tick">
      <button class="small" onClick=${() => setZoom((it) => Math.max(0.1, it / 1.5))} aria-label="narrower ticks">−</button>
      <button class="small" onClick=${() => setZoom(fit / clamp(fit, LEAST_TICK, GREATEST_TICK))} aria-label="fit all ticks">fit</button>
      <button class="small" onClick=${() => setZoom((it) => Math.min(8, it * 1.5))} aria-label="wider ticks">+</button>
    </div>
  </div>`;
}

// The cost-to-go per tick as a step line, and the regret of each step.

const CURVE = 84;
const CURVE_TOP = 16;
const CURVE_FOOT = 6;

// Returns the quantity at each tick: before each step, and after the last.
function costsToGo(steps) {
  const costs = steps.map((step) => step.before);
  if (steps.length) costs.push(steps[steps.length - 1].after);
  return costs;
}

const isKnown = (q) => q !== null && q !== undefined && !(typeof q === "object" && least(q) === null);

// Returns the greatest finite value, which sets the height of the line; null where nothing is known.
function greatestCost(costs, unit) {
  const values = costs.flatMap((q) => (q && typeof q === "object" ? [q.lower, q.upper] : [q]));
  const finite = values.filter(Number.isFinite).map((value) => value * unit.sign);
  return finite.length ? { high: Math.max(1, ...finite), low: Math.min(0, ...finite) } : null;
}

// Returns a function that draws the curve in the scale of a timeline.
function curveOf(steps, unit) {
  const costs = costsToGo(steps);
  const range = greatestCost(costs, unit);
  if (!range) return null;
  const height = CURVE - CURVE_TOP - CURVE_FOOT;
  const y = (value) =>
    CURVE_TOP + height * (1 - (clamp(value * unit.sign, range.low, range.high) - range.low) / (range.high - range.low));
  const draw = ({ from, to, size, width }) => {
    const words = [];
    const parts = [html`<line class="rule" x1="0" x2=${width} y1=${CURVE - CURVE_FOOT} y2=${CURVE - CURVE_FOOT} />`];
    let path = "";
    for (let at = from; at < Math.min(to, costs.length); at++) {
      const q = costs[at];
      if (!isKnown(q)) {
        path += " ";
        continue;
      }
      const [left, right] = [at * size, (at + 1) * size];
      const value = least(q);
      if (value === Infinity) {
        parts.push(
          html`<g class="endless">
            <title>no plan reaches the goal from here</title>
            <rect x=${left} y=${CURVE_TOP - 4} width=${size} height=${height + 4} />
          </g>`,
        );
        if (at === from || least(costs[at - 1]) !== Infinity)
          words.push(html`<text class="endless-text" x=${left + 3} y=${CURVE_TOP + 12}>∞ dead end</text>`);
        continue;
      }
      if (typeof q === "object" && q.lower !== null && q.upper !== null) {
        const [a, b] = [y(q.lower), y(q.upper)].sort((one, other) => one - other);
        parts.push(html`<rect class="between" x=${left} y=${a} width=${size} height=${Math.max(1, b - a)} />`);
      }
      const join = at > from && isKnown(costs[at - 1]) && least(costs[at - 1]) !== Infinity;
      path += `${join ? "L" : "M"}${left} ${y(value)}L${right} ${y(value)}`;
    }
    parts.push(html`<path class="curve" d=${path} />`);
    let free = 0;
    for (let at = from; at < Math.min(to, steps.length); at++) {
      const { regret } = steps[at];
      if (!isPositive(regret)) continue;
      const [x, text] = [(at + 0.5) * size, `+${quantity(regret, amountUnit(unit))}`];
      const half = text.length * 3.2;
      const fits = x - half > free;
      if (fits) free = x + half;
      parts.push(
        html`<g class="regret-mark" transform=${`translate(${x} ${CURVE_TOP - 5})`}>
          <title>regret ${text} at tick ${at}</title>
          ${fits && html`<text>${text}</text>`}<path d="M-3 3 L3 3 L0 7 Z" />
        </g>`,
      );
    }
    return html`<g>${parts}${words}</g>`;
  };
  const bound = (value) => plain(value / unit.scale);
  const label = html`<span>${unit.toGo}</span><span class="soft">${bound(range.low)}–${bound(range.high)}</span>`;
  return { draw, label };
}

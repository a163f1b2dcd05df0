// The board: a grid of cells, with agents and objects where they are at the cursor.

const CELL = 62;
// Smaller cells cannot be read: a narrow screen scrolls.
const LEAST_CELL = 46;
// Letters of a small text that fit into a cell.
const LETTERS = 11;
const WAY = { "-": `M0 ${CELL / 2}h${CELL}`, "|": `M${CELL / 2} 0v${CELL}`, "+": `M0 ${CELL / 2}h${CELL}M${CELL / 2} 0v${CELL}` };
const TURN = { north: 0, east: 90, south: 180, west: 270 };

// Cuts a name to what fits into a cell, keeping a number at its end.
function cellName(text, length) {
  const name = show(text);
  if (name.length <= length) return name;
  const digits = /[-_]?\d+$/.exec(name)?.[0] ?? "";
  return `${name.slice(0, Math.max(1, length - digits.length - 1))}…${digits}`;
}

function BoardAgent({ item, isAlone, names }) {
  const turn = TURN[item.facing];
  return html`<g class="board-agent" style=${agentStyle(names, item.of)}>
    <circle r="15" />
    ${turn !== undefined && html`<path d="M-6 -21 L0 -29 L6 -21 Z" transform=${`rotate(${turn})`} />`}
    <text y="4">${cellName(item.text, isAlone ? 8 : 5)}</text>
    ${item.holds &&
    html`<g transform="translate(0 16)">
      <rect class="held" x=${4 - CELL / 2} y="-7" width=${CELL - 8} height="13" rx="3" /><text class="small" y="3"
        >${cellName(item.holds, LETTERS)}</text
      >
    </g>`}
  </g>`;
}

// Returns the place of each item among those of its kind in its cell, and the number of these.
function amongOthers(frame) {
  const cells = new Map();
  const key = (item) => `${item.kind} ${item.x} ${item.y}`;
  const nth = frame.map((item) => {
    const count = cells.get(key(item)) ?? 0;
    cells.set(key(item), count + 1);
    return count;
  });
  return frame.map((item, index) => [item, nth[index], cells.get(key(item))]);
}

function Board({ board, names, tick }) {
  const frame = (board.frames[Math.min(tick, board.frames.length - 1)] ?? []).map((index) => board.items[index]);
  const [width, height] = [board.width * CELL, board.height * CELL];
  const at = (item, x, y) => `translate(${item.x * CELL + CELL / 2 + x} ${item.y * CELL + CELL / 2 + y})`;
  const name = (item) => show(item.of ?? item.text);
  const label = frame.map((item) => `${name(item)} at ${item.x}, ${item.y}`).join("; ");
  const placed = amongOthers(frame);
  const ofKind = (kind) => placed.filter(([item]) => item.kind === kind);
  return html`<section class="panel board" aria-labelledby="board-title">
    <h2 id="board-title">Board at tick ${tick}</h2>
    <div class="scroll">
      <svg viewBox=${`-1 -1 ${width + 2} ${height + 2}`} style=${`width:${width}px;max-width:100%;min-width:${board.width * LEAST_CELL}px`} role="img" aria-label=${label}>
        ${board.cells.map(
          (cell) =>
            html`<g class=${`cell cell-${cell.kind}`} transform=${`translate(${cell.x * CELL} ${cell.y * CELL})`}>
              <title>${show(cell.of ?? cell.kind)} (${cell.x}, ${cell.y})</title>
              ${cell.kind === "way"
                ? html`<path d=${WAY[cell.text]} />`
                : html`<rect width=${CELL} height=${CELL} /><text class="small" x="3" y="10">${cellName(cell.text, LETTERS)}</text>`}
            </g>`,
        )}
        ${ofKind("object").map(
          ([item, nth]) =>
            html`<g class="board-object" transform=${at(item, 0, nth * 14 - 10)}>
              <title>${name(item)}</title>
              <rect x=${4 - CELL / 2} y="-7" width=${CELL - 8} height="13" rx="2" /><text class="small" y="3">${cellName(item.text, LETTERS)}</text>
            </g>`,
        )}
        ${ofKind("agent").map(
          ([item, nth, count]) =>
            html`<g transform=${at(item, (nth - (count - 1) / 2) * 26, 1)}>
              <title>${name(item)}</title><${BoardAgent} ...${{ item, isAlone: count === 1, names }} />
            </g>`,
        )}
      </svg>
    </div>
  </section>`;
}

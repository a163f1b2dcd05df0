// The board: a grid of cells, with agents and objects where they are at the cursor.

const CELL = 46;
const TURN = { north: 0, east: 90, south: 180, west: 270 };

// Cuts a name to what fits into a cell, keeping a number at its end.
function cellName(text, length) {
  const name = show(text);
  if (name.length <= length) return name;
  const digits = /[-_]?\d+$/.exec(name)?.[0] ?? "";
  return `${name.slice(0, Math.max(1, length - digits.length - 1))}…${digits}`;
}

function BoardAgent({ item, names }) {
  const turn = TURN[item.facing];
  return html`<g class="board-agent" style=${agentStyle(names, item.of)}>
    <circle r="15" />
    ${turn !== undefined && html`<path d="M-6 -14 L0 -22 L6 -14 Z" transform=${`rotate(${turn})`} />`}
    <text y="4">${cellName(item.text, 5)}</text>
    ${
      item.holds &&
      html`<g transform="translate(0 17)">
      <rect class="held" x="-21" y="-6" width="42" height="12" rx="3" /><text class="small" y="3">${cellName(item.holds, 7)}</text>
    </g>`
    }
  </g>`;
}

function Board({ board, names, tick }) {
  const frame = board.frames[Math.min(tick, board.frames.length - 1)] ?? [];
  const [width, height] = [board.width * CELL, board.height * CELL];
  const at = (item) => `translate(${item.x * CELL + CELL / 2} ${item.y * CELL + CELL / 2})`;
  const label = frame.map((item) => `${show(item.of ?? item.text)} at ${item.x}, ${item.y}`).join("; ");
  const stacked = new Map();
  return html`<section class="panel board" aria-labelledby="board-title">
    <h2 id="board-title">Board at tick ${tick}</h2>
    <div class="scroll">
      <svg
        viewBox=${`-1 -1 ${width + 2} ${height + 2}`}
        style=${`width:${width}px;max-width:100%`}
        role="img"
        aria-label=${label}
      >
        ${board.cells.map(
          (cell) =>
            html`<g
              class=${`cell cell-${show(cell.kind).replace(/[^a-z-]/gi, "")}`}
              transform=${`translate(${cell.x * CELL} ${cell.y * CELL})`}
            >
              <title>${show(cell.kind)} ${show(cell.text)} (${cell.x}, ${cell.y})</title>
              <rect width=${CELL} height=${CELL} /><text class="small" x="3" y="10">${cellName(cell.text ?? "", 7)}</text>
            </g>`,
        )}
        ${frame
          .filter((item) => item.kind === "object")
          .map((item) => {
            const key = `${item.x},${item.y}`;
            const place = stacked.get(key) ?? 0;
            stacked.set(key, place + 1);
            return html`<g class="board-object" transform=${at(item)}>
              <title>${show(item.of ?? item.text)}</title>
              <g transform=${`translate(0 ${place * 11})`}>
                <rect x="-21" y="-8" width="42" height="13" rx="2" /><text class="small" y="2">${cellName(item.text, 7)}</text>
              </g>
            </g>`;
          })}
        ${frame
          .filter((item) => item.kind === "agent")
          .map(
            (item) =>
              html`<g transform=${at(item)}><title>${show(item.of ?? item.text)}</title><${BoardAgent} ...${{ item, names }} /></g>`,
          )}
      </svg>
    </div>
  </section>`;
}

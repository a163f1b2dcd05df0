// A table that sorts by its columns and draws only the rows in sight when there are many.

const ROW_HEIGHT = 25;
const ALL_DRAWN = 300;
const collator = new Intl.Collator("en", { numeric: true });

// Compares two cells; absent ones come last, whichever the direction.
function compareCells(a, b, descending) {
  const [noA, noB] = [a === null || a === undefined, b === null || b === undefined];
  if (noA || noB) return noA - noB;
  const order = typeof a === "number" && typeof b === "number" ? a - b || 0 : collator.compare(String(a), String(b));
  return descending ? -order : order;
}

// Returns the rows in the order of a column, `-id` for descending.
function sortRows(rows, columns, sort) {
  if (!sort) return rows;
  const descending = sort.startsWith("-");
  const column = columns.find((it) => it.id === (descending ? sort.slice(1) : sort));
  if (!column?.value) return rows;
  const keyed = rows.map((row) => [column.value(row), row]);
  keyed.sort((a, b) => compareCells(a[0], b[0], descending));
  return keyed.map(([, row]) => row);
}

function SortHead({ column, sort, onSort }) {
  const state = sort === column.id ? "ascending" : sort === `-${column.id}` ? "descending" : null;
  const turn = () => onSort(state === "ascending" ? `-${column.id}` : state === "descending" ? null : column.id);
  return html`<th
    scope="col"
    class=${classes(column.num && "right")}
    aria-sort=${state}
    title=${column.hint ? show(column.hint) : null}
  >
    ${
      column.value && onSort
        ? html`<button class="head" onClick=${turn}>
          ${show(column.title)}<span aria-hidden="true"
            >${state === "ascending" ? " ▲" : state === "descending" ? " ▼" : ""}</span
          >
        </button>`
        : show(column.title)
    }
  </th>`;
}

// How far the tables were scrolled, so that a return finds its place again.
const scrolledTables = new Map();

// Draws rows, already sorted. Columns have `id`, `title`, `cell`, and may have `value` (to sort by), `num`, `width` (in
// characters; needed where there are many rows), `filter` (an element for the second row of the head).
function Table({ label, columns, rows, rowKey, sort, onSort, rowClass, many = false }) {
  const drawn = many && rows.length > ALL_DRAWN;
  const box = useRef(null);
  const [top, setTop] = useState(scrolledTables.get(label) ?? 0);
  const height = 40 * ROW_HEIGHT;
  const first = drawn ? clamp(Math.floor(top / ROW_HEIGHT) - 10, 0, Math.max(0, rows.length - 1)) : 0;
  const last = drawn ? Math.min(rows.length, first + Math.ceil(height / ROW_HEIGHT) + 20) : rows.length;
  useEffect(() => {
    if (box.current && box.current.scrollTop > rows.length * ROW_HEIGHT) box.current.scrollTop = 0;
  }, [rows]);
  useLayoutEffect(() => {
    if (drawn) box.current.scrollTop = top;
  }, []);
  const onScroll = ({ currentTarget: { scrollTop } }) => {
    scrolledTables.set(label, scrollTop);
    setTop(scrollTop);
  };
  const gap = (count) =>
    count > 0 &&
    html`<tr aria-hidden="true" style=${`height:${count * ROW_HEIGHT}px`}>
      <td colspan=${columns.length}></td>
    </tr>`;
  return html`<div
    class=${classes("scroll", many && "tall")}
    ref=${box}
    onScroll=${drawn ? onScroll : null}
    tabindex="0"
    role="region"
    aria-label=${label}
  >
    <table class=${classes("data", many && "fixed")} aria-rowcount=${rows.length + 1}>
      ${many && html`<colgroup>${columns.map((it) => html`<col style=${`width:${(it.width ?? 10) + 2}ch`} />`)}</colgroup>`}
      <thead>
        <tr>
          ${columns.map((column) => html`<${SortHead} key=${column.id} ...${{ column, sort, onSort }} />`)}
        </tr>
        ${
          columns.some((it) => it.filter) &&
          html`<tr class="filters">
          ${columns.map((column) => html`<td key=${column.id}>${column.filter}</td>`)}
        </tr>`
        }
      </thead>
      <tbody>
        ${gap(first)}
        ${rows.slice(first, last).map(
          (row, place) =>
            html`<tr key=${rowKey ? rowKey(row) : first + place} aria-rowindex=${first + place + 2} class=${rowClass?.(row)}>
              ${columns.map((column) =>
                column.head
                  ? html`<th scope="row" class=${classes(column.num && "right")}>${column.cell(row)}</th>`
                  : html`<td class=${classes(column.num && "right")}>${column.cell(row)}</td>`,
              )}
            </tr>`,
        )}
        ${gap(rows.length - last)}
      </tbody>
    </table>
  </div>`;
}

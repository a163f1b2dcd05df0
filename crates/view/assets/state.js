// A state in words, with what the last step added and removed.

// Aligns two lists of line numbers: pairs of a mark ("", "+", "−") and the line.
function difference(old, now) {
  let [start, ends] = [0, 0];
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  while (
    ends < old.length - start &&
    ends < now.length - start &&
    old[old.length - 1 - ends] === now[now.length - 1 - ends]
  )
    ends++;
  const [a, b] = [old.slice(start, old.length - ends), now.slice(start, now.length - ends)];
  const result = now.slice(0, start).map((line) => ["", line]);
  if (a.length * b.length > 250000) {
    const [was, is] = [new Set(a), new Set(b)];
    result.push(...a.filter((line) => !is.has(line)).map((line) => ["−", line]));
    result.push(...b.map((line) => [was.has(line) ? "" : "+", line]));
  } else {
    result.push(...aligned(a, b));
  }
  result.push(...now.slice(now.length - ends).map((line) => ["", line]));
  return result;
}

// Aligns by a longest common subsequence.
function aligned(a, b) {
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] =
        a[i] === b[j]
          ? common[(i + 1) * width + j + 1] + 1
          : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
  const result = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      result.push(["", a[i]]);
      [i, j] = [i + 1, j + 1];
    } else if (i < a.length && (j === b.length || common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      result.push(["−", a[i++]]);
    } else {
      result.push(["+", b[j++]]);
    }
  }
  return result;
}

// Splits at empty lines; each block is about one object.
function blocks(marked) {
  const all = [[]];
  for (const [mark, line] of marked) {
    if (line === -1) all.push([]);
    else all[all.length - 1].push([mark, line]);
  }
  return all.filter((block) => block.length);
}

// The most lines of a block that stays in one column.
const WHOLE = 14;

const MARK_CLASS = { "+": "added", "−": "removed", "": null };

function StateWords({ lines, states, tick, inWords = true }) {
  const [onlyChanges, setOnly] = useState(false);
  const now = states[Math.min(tick, states.length - 1)] ?? [];
  const shown = useMemo(() => {
    const marked = tick > 0 && tick < states.length ? difference(states[tick - 1], now) : now.map((line) => ["", line]);
    return blocks(marked);
  }, [states, tick]);
  const changed = shown.filter((block) => block.some(([mark]) => mark));
  return html`<section class="panel state" aria-labelledby="state-title">
    <h2 id="state-title">
      State at tick ${tick}
      ${
        tick > 0 &&
        html`<label class="soft"
        ><input type="checkbox" checked=${onlyChanges} onChange=${(event) => setOnly(event.target.checked)} /> only what
        changed</label
      >`
      }
    </h2>
    ${!inWords && html`<p class="soft">As facts: the problem was not at hand.</p>`}
    ${tick >= states.length && html`<p class="soft">This state is not recorded.</p>`}
    ${tick < states.length && !shown.length && html`<p class="soft">Nothing holds.</p>`}
    <div class="blocks">
      ${(onlyChanges ? changed : shown).map(
        (block) =>
          html`<ul class=${block.length > WHOLE ? "long" : null}>
            ${block.map(
              ([mark, line]) =>
                html`<li class=${MARK_CLASS[mark]}>
                  <span class="sign" aria-label=${MARK_CLASS[mark]}>${mark}</span>${show(lines[line])}
                </li>`,
            )}
          </ul>`,
      )}
    </div>
    ${onlyChanges && !changed.length && html`<p class="soft">Nothing changed in the step before.</p>`}
  </section>`;
}

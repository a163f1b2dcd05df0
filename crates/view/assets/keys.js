// Keys for the whole page: each view binds its own; a key typed into a field stays there.

const bindings = [];

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (document.querySelector("dialog[open]")) return;
  const target = event.target;
  const field = target instanceof Element && target.closest("input, select, textarea");
  if (field) {
    if (event.key === "Escape") field.blur();
    return;
  }
  for (const binding of bindings) {
    const action = binding.current[event.key];
    if (action) {
      event.preventDefault();
      action();
      return;
    }
  }
});

// Binds keys, by their names in `KeyboardEvent.key`, while a component is shown.
function useKeys(actions) {
  const binding = useRef(actions);
  binding.current = actions;
  useLayoutEffect(() => {
    bindings.unshift(binding);
    return () => bindings.splice(bindings.indexOf(binding), 1);
  }, []);
}

const KEYS = [
  ["← →", "step back, step on"],
  ["Home End", "first, last tick"],
  ["n p", "next, previous step that the filter lists"],
  ["j k", "next, previous episode of the list"],
  ["← ↑ → ↓ + - 0 1", "in an automaton: move, zoom, fit, readable size"],
  ["/", "to the filter; Escape leaves it"],
  ["u", "up to the campaign"],
  ["t", "light, dark, as the system"],
  ["?", "this help"],
];

const MARKS = [
  ["▲", "refused command", "mark-refusal"],
  ["■", "message, request or response", "mark-message"],
  ["●", "model call", "mark-call"],
  ["+2", "regret: the cost that a choice lost", "mark-regret"],
  ["+ −", "what a step added to and removed from the state", ""],
];

// Shows the keys and marks in a dialog.
function Help({ dialog }) {
  return html`<dialog ref=${dialog} aria-labelledby="help-title">
    <h2 id="help-title">Keys and marks</h2>
    <table class="plain">
      <tbody>
        ${KEYS.map(
          ([keys, meaning]) =>
            html`<tr>
              <th scope="row">${keys.split(" ").map((key) => html`<kbd>${key}</kbd> `)}</th>
              <td>${meaning}</td>
            </tr>`,
        )}
        ${MARKS.map(
          ([mark, meaning, kind]) =>
            html`<tr>
              <th scope="row"><span class=${kind}>${mark}</span></th>
              <td>${meaning}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    <form method="dialog"><button class="primary">Close</button></form>
  </dialog>`;
}

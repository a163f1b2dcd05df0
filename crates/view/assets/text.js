// Text as it is shown: hidden characters become visible, quantities and numbers have one form each.

const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

// Returns text in which control and bidirectional characters are visible symbols.
function show(value) {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" ? value : typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.replace(HIDDEN, (found) => {
    const code = found.codePointAt(0);
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

const ABSENT = "–";

// Formats a number without rounding noise.
function plain(value) {
  return Number.isInteger(value) ? String(value) : String(Number(value.toFixed(4)));
}

// Formats an amount that may be absent.
function amount(value) {
  if (value === null || value === undefined) return ABSENT;
  return typeof value === "number" ? plain(value) : show(value);
}

// The unit of an episode's quantities: their scale, and a sign that undoes the negation of what is maximised.
function unitOf(episode) {
  const maximised = episode.unit === "negated-cost";
  return {
    scale: episode.scale || 1,
    sign: maximised ? -1 : 1,
    maximised,
    word: episode.unit === "ticks" ? "ticks" : maximised ? "metric" : "cost",
    toGo: maximised ? "metric still to gain" : "cost-to-go",
  };
}

const REGRET = { scale: 1, sign: 1 };

// The unit of regret, and of what was paid or gained: never negated.
const amountUnit = (unit) => ({ scale: unit.scale, sign: 1 });

// Formats a quantity: exact, infinite, bounded or unknown.
function quantity(q, unit = REGRET) {
  if (q === null || q === undefined) return ABSENT;
  if (q === "inf") return unit.sign < 0 ? "−∞" : "∞";
  const number = (value) => plain((unit.sign * value) / unit.scale || 0).replace("-", "−");
  if (typeof q === "number") return number(q);
  if (typeof q === "string") return show(q);
  let { lower = null, upper = null } = q;
  if (unit.sign < 0) [lower, upper] = [upper, lower];
  if (lower === null && upper === null) return "?";
  if (upper === null) return `≥ ${number(lower)}`;
  if (lower === null) return `≤ ${number(upper)}`;
  return `${number(lower)}–${number(upper)}`;
}

// Shows a quantity, its reason on hovering where it is not exact.
function Quantity({ q, unit }) {
  const reason = q && typeof q === "object" ? q.reason : null;
  return html`<span class=${classes("num", reason && "inexact")} title=${reason ? show(reason) : null}
    >${quantity(q, unit)}</span
  >`;
}

// Returns the least value that a quantity can have, for sorting and plotting; null if there is none.
function least(q) {
  if (q === null || q === undefined) return null;
  if (q === "inf") return Infinity;
  if (typeof q === "number") return q;
  return q.lower ?? q.upper ?? null;
}

const isPositive = (q) => (least(q) ?? 0) > 0;

// Cuts text to a number of characters.
function cut(text, length) {
  if (text.length <= length) return text;
  return length < 2 ? "" : `${text.slice(0, length - 1).trimEnd()}…`;
}

// Writes a map of named numbers as text.
const pairs = (map) =>
  Object.entries(map ?? {})
    .map(([name, value]) => `${show(name)} ${amount(value)}`)
    .join(", ");

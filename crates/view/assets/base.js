// Names of the view library and the page's document that all other files use.

const { html, render, useState, useEffect, useLayoutEffect, useMemo, useRef, useCallback, useErrorBoundary } =
  globalThis.htmPreact;

const page = JSON.parse(document.getElementById("data").textContent);

// Joins class names, leaving out those that do not apply.
const classes = (...names) => names.filter(Boolean).join(" ");

// Keeps a number within bounds.
const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

// Returns the text for a count with its noun.
const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

// The state of the view as the page's fragment, `#/path?key=value`, so that a link leads to an episode and tick.

// Decodes a part of the fragment; a malformed one is taken as it is.
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function parseRoute(fragment) {
  const bare = fragment.replace(/^#?\/?/, "");
  const at = bare.indexOf("?");
  const path = at < 0 ? bare : bare.slice(0, at);
  const query = Object.fromEntries(new URLSearchParams(at < 0 ? "" : bare.slice(at + 1)));
  return { path: path.split("/").filter(Boolean).map(decoded), query };
}

function routeText(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const tail = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return `#/${path.map(encodeURIComponent).join("/")}${tail ? `?${tail}` : ""}`;
}

const route = { current: parseRoute(location.hash), listeners: new Set(), pending: null };

function publish(next) {
  route.current = next;
  for (const listener of [...route.listeners]) listener(next);
}

addEventListener("hashchange", () => {
  clearTimeout(route.pending);
  const next = parseRoute(location.hash);
  if (routeText(next.path, next.query) !== routeText(route.current.path, route.current.query)) publish(next);
});

// Changes keys of the query at once; the address follows later, as browsers limit how often it may change.
function setQuery(changes) {
  const { path, query } = route.current;
  publish({ path, query: { ...query, ...changes } });
  clearTimeout(route.pending);
  route.pending = setTimeout(() => location.replace(routeText(path, route.current.query)), 200);
}

// Goes to another view, leaving the present one in the browser's history.
function go(path, query) {
  clearTimeout(route.pending);
  const text = routeText(path, query);
  if (location.hash !== text) location.hash = text;
  publish(parseRoute(text));
}

function useRoute() {
  const [, refresh] = useState(0);
  useLayoutEffect(() => {
    const listener = () => refresh((count) => count + 1);
    route.listeners.add(listener);
    return () => route.listeners.delete(listener);
  }, []);
  return route.current;
}

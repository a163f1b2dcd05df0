// The frame of every page: title bar, theme, help, notes.

const THEMES = ["auto", "light", "dark"];

function storedTheme() {
  try {
    return THEMES.includes(localStorage.getItem("brigade-theme")) ? localStorage.getItem("brigade-theme") : "auto";
  } catch {
    return "auto";
  }
}

const themeListeners = new Set();

function applyTheme(theme) {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("brigade-theme", theme);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  for (const listener of [...themeListeners]) listener();
}

document.documentElement.dataset.theme = storedTheme();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  for (const listener of [...themeListeners]) listener();
});

// Returns a number that changes whenever colours do.
function useThemeChange() {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const listener = () => setCount((value) => value + 1);
    themeListeners.add(listener);
    return () => themeListeners.delete(listener);
  }, []);
  return count;
}

function Shell({ crumbs, children }) {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme);
  const help = useRef(null);
  const nextTheme = () => {
    const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    applyTheme(next);
    setTheme(next);
  };
  const openHelp = () => help.current?.showModal();
  useKeys({ "?": openHelp, t: nextTheme });
  return html`<div class="bar" role="banner">
      <nav aria-label="where">${crumbs}</nav>
      <span class="spring"></span>
      <button onClick=${nextTheme} aria-label=${`colours: ${theme}`} title="colours: as the system, light, dark (t)">
        ${{ auto: "◐ auto", light: "○ light", dark: "● dark" }[theme]}
      </button>
      <button onClick=${openHelp} aria-label="help: keys and marks" title="keys and marks (?)">?</button>
    </div>
    <main>
      <${Notes} notes=${page.notes} />
      ${children}
    </main>
    <footer>${show(page.generator)}</footer>
    <${Help} dialog=${help} />`;
}

function Notes({ notes }) {
  if (!notes?.length) return null;
  return html`<ul class="notes">
    ${notes.map((note) => html`<li>${show(note)}</li>`)}
  </ul>`;
}

// Offers text as a file.
function download(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name.replace(/[^\w.-]+/g, "-");
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

// Copies text to the clipboard, by selection where the clipboard is not open to the page.
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

function Copy({ text }) {
  const [state, setState] = useState("copy");
  const copy = async () => {
    setState((await copyText(text)) ? "copied" : "not copied");
    setTimeout(() => setState("copy"), 1500);
  };
  return html`<button class="small" onClick=${copy} aria-live="polite">${state}</button>`;
}

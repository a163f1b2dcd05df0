// Loads episodes that stand in files of their own beside the page.

const loaded = new Map(Object.entries(page.episodes ?? {}));
const waiting = new Map();

globalThis.brigadeEpisode = (id, episode) => {
  loaded.set(id, episode);
  waiting.get(id)?.(true);
};

const episodePath = (file) =>
  page.folder + file.split("/").map(encodeURIComponent).join("/") + (file.endsWith(".js") ? "" : ".js");

// Loads the script of an episode; resolves to whether it gave the episode.
function loadEpisode(id, file) {
  return new Promise((resolve) => {
    const script = document.createElement("script");
    const end = (success) => {
      waiting.delete(id);
      script.remove();
      resolve(success);
    };
    waiting.set(id, end);
    script.onerror = () => end(false);
    script.onload = () => end(loaded.has(id));
    script.src = episodePath(file);
    document.head.append(script);
  });
}

function EpisodeById({ id, query }) {
  const [state, setState] = useState("loading");
  const row = page.campaign?.episodes.find((it) => it.id === id);
  const present = loaded.has(id);
  const load = async () => {
    setState("loading");
    setState((await loadEpisode(id, row.file)) ? "loaded" : "failed");
  };
  useEffect(() => {
    if (!present && page.folder && row?.file) load();
  }, [id]);
  if (present) return html`<${Episode} key=${id} episode=${loaded.get(id)} query=${query} />`;
  if (!page.folder || !row?.file)
    return html`<div class="panel" role="alert">
      <h1>No such episode</h1>
      <p>This page has no episode <code>${show(id)}</code>.</p>
    </div>`;
  if (state !== "failed") return html`<p class="panel" role="status">Loading ${show(id)} …</p>`;
  return html`<div class="panel" role="alert">
    <h1>The episode could not be loaded</h1>
    <p>
      It stands in${" "}<code>${show(decoded(episodePath(row.file)))}</code>, beside this page. If the page was moved,
      move the folder with it.
    </p>
    <button class="primary" onClick=${load}>Try again</button>
  </div>`;
}

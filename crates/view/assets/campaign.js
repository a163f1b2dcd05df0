// The index of a campaign: results, differences, charts, episodes.

function Campaign({ campaign, query }) {
  const charts = useMemo(() => html`<${Charts} charts=${campaign.charts} />`, [campaign]);
  const successes = campaign.episodes.filter((it) => it.success === true).length;
  return html`<article>
    <header class="episode-head">
      <h1>${show(campaign.name)}</h1>
      <p class="soft">${counted(campaign.episodes.length, "episode")}, ${successes} with success</p>
      <${Notes} notes=${campaign.notes} />
    </header>
    <${MetricTables} ...${{ campaign, query }} /> <${Matrices} matrices=${campaign.matrices} /> ${charts} <${Differences} ...${{ campaign, query }} />
    <${EpisodeList} ...${{ campaign, query }} />
  </article>`;
}

// Leads from an episode to those before and after it in the list it was opened from.
function EpisodePager({ campaign, id, query }) {
  const list = useMemo(
    () => listedEpisodes(campaign, parseRoute(`#/?${query.list ?? ""}`).query),
    [campaign, query.list],
  );
  const at = list.findIndex((it) => it.id === id);
  const open = (place) => {
    if (at >= 0 && list[place]) go(["e", list[place].id], { list: query.list });
  };
  useKeys({
    j: () => open(at + 1),
    k: () => open(at - 1),
    u: () => go([], parseRoute(`#/?${query.list ?? ""}`).query),
  });
  if (at < 0) return null;
  return html`<span class="pager">
    <button onClick=${() => open(at - 1)} disabled=${at === 0} aria-label="previous episode" title="previous episode (k)">↑</button>
    <span class="soft">${at + 1} of ${list.length}</span>
    <button onClick=${() => open(at + 1)} disabled=${at === list.length - 1} aria-label="next episode" title="next episode (j)">↓</button>
  </span>`;
}

// A graph from further away: vertices with the same value as one circle, edges between them as lines. A job of low
// priority counts, so that it waits for others; the picture is laid out here, the same each time.
import {h, setText, svg, Table} from './dom.js';
import {count, whole} from './format.js';
import {doing, ENDED} from './jobs-view.js';
import {session} from './session.js';

const VALUES = ['boolean', 'int', 'long', 'vertex'];
const SIZE = 460, MARGIN = 46, ROUNDS = 300, PASSES = 60, MOST = 50, USUAL = 20;
const LEAST = 6, GROWTH = 26, GAP = 12, LABELLED = 16;

export function groupsSection(name, live) {
  const column = h('select', {id: 'group-column'});
  const limit = h('input', {id: 'group-limit', type: 'number', min: '1', max: String(MOST), value: String(USUAL), required: true});
  const button = h('button', {type: 'submit', id: 'group-count'}, 'Count and draw');
  const said = h('p', {role: 'status', id: 'group-said'});
  const place = h('div', {class: 'grid'});
  const form = h('form', {class: 'row', hidden: true, onsubmit: event => { event.preventDefault(); begin(); }},
    h('div', null, h('label', {for: 'group-column'}, 'Column'), column), h('div', null, h('label', {for: 'group-limit'}, 'Largest groups to show'), limit), button);
  const nothing = h('p', {class: 'quiet'});
  let unlisten = () => {};

  async function begin() {
    unlisten();
    button.disabled = true;
    place.replaceChildren();
    say('Submitting a job …');
    const script = JSON.stringify({name: `groups of ${name}`.slice(0, 200), tasks: [{task: 'graph.groups', as: 'groups', graph: name, state: column.value, limit: Number(limit.value)}]});
    try {
      const told = await session.post('/jobs', {label: 'groups, asked for at the page', script, folder: (session.who.folders || ['/'])[0], parameters: {}, priority: 'low'});
      const look = () => follow(told.id);
      unlisten = live.listen(look);
      look();
    } catch (refused) {
      say(refused.errors?.length ? refused.errors.map(e => e.error).join('; ') : refused.status ? refused.message : 'The superpeer does not answer.', 'bad');
      button.disabled = false;
    }
  }

  function say(text, kind = '', id = 0) {
    said.className = kind;
    if (id) said.replaceChildren(h('a', {href: `#/jobs/${id}`}, `Job ${id}`), ` ${text}`);
    else setText(said, text);
  }

  async function follow(id) {
    const job = live.get(`job/${id}`);
    if (!job || !ENDED.includes(job.status)) { say(job ? `${job.status} ${doing(job)}` : 'waits', '', id); return; }
    unlisten();
    unlisten = () => {};
    button.disabled = false;
    try {
      const told = await session.ask(`/jobs/${id}/report`);
      const result = told.tasks[0]?.result;
      if (told.status !== 'succeeded' || !result) { say(told.error || told.tasks[0]?.error || told.status, 'bad', id); return; }
      say(result.others
        ? `has counted the ${result.groups.length} largest of ${whole(result.values)} groups; all others have ${count(result.others, 'vertex', 'vertices')} together.`
        : `has counted ${count(result.groups.length, 'group')}.`, '', id);
      show(result);
    } catch (refused) { say(refused.message || 'The superpeer does not answer.', 'bad', id); }
  }

  function show(result) {
    const groups = result.groups.map(([value, vertices], index) => ({index, value: String(value), vertices, inside: 0, outside: 0}));
    if (result.others) groups.push({index: -1, value: 'all others', vertices: result.others, inside: 0, outside: 0});
    const at = index => groups[index < 0 ? groups.length - 1 : index];
    const between = new Map();
    for (const [from, to, edges] of result.edges) {
      if (from === to) { at(from).inside += edges; continue; }
      at(from).outside += edges;
      at(to).outside += edges;
      const a = groups.indexOf(at(from)), b = groups.indexOf(at(to)), key = Math.min(a, b) * groups.length + Math.max(a, b);
      between.set(key, (between.get(key) || 0) + edges);
    }
    const lines = [...between].map(([key, edges]) => ({a: Math.floor(key / groups.length), b: key % groups.length, edges}));
    const table = new Table('Groups, the largest first', [
      {name: column.value, wide: true, cell: g => g.value},
      {name: 'vertices', number: true, cell: g => whole(g.vertices)},
      {name: 'edges inside', number: true, cell: g => whole(g.inside)},
      {name: 'edges to others', number: true, cell: g => whole(g.outside)},
    ], g => g.index, 'The graph has no vertices.');
    table.set(groups);
    table.scroll.classList.add('tall');
    place.replaceChildren(picture(groups, lines, column.value), h('div', null, table.element));
  }

  return {
    element: h('section', {'aria-labelledby': 'group-head'}, h('h2', {id: 'group-head'}, 'Groups of vertices, and the edges between them'), form, nothing, said, place),
    set(columns) {
      const fit = columns.filter(c => c.of === 'vertex' && VALUES.includes(c.type));
      const may = session.may('submit');
      form.hidden = fit.length === 0 || !may;
      nothing.hidden = !form.hidden;
      setText(nothing, may ? 'It has no column of whole numbers or vertices, such as graph.cdlp (communities) and graph.wcc leave and graph.publish keeps.'
        : 'A job counts them, and to submit one takes a token of the role submit.');
      column.replaceChildren(...fit.map(c => h('option', {value: c.name}, `${c.name} (${c.type})`)));
    },
    close() { unlisten(); },
  };
}

function picture(groups, lines, name) {
  const most = Math.max(1, ...groups.map(g => g.vertices)), widest = Math.max(1, ...lines.map(l => l.edges));
  const radius = groups.map(g => LEAST + GROWTH * Math.sqrt(g.vertices / most));
  const spots = keepApart(layOut(groups, lines), radius);
  const drawn = lines.map(l => svg('line', {x1: spots[l.a].x, y1: spots[l.a].y, x2: spots[l.b].x, y2: spots[l.b].y, 'stroke-width': (0.6 + 7 * Math.sqrt(l.edges / widest)).toFixed(1)},
    svg('title', null, `${count(l.edges, 'edge')} between ${groups[l.a].value} and ${groups[l.b].value}`)));
  const circles = groups.map((g, i) => svg('g', {class: g.index < 0 ? 'others' : null}, svg('circle', {cx: spots[i].x, cy: spots[i].y, r: radius[i].toFixed(1)}),
    svg('text', {x: spots[i].x, y: radius[i] < LABELLED ? spots[i].y - radius[i] - 3 : spots[i].y + 4}, short(g.value)), svg('title', null, `${g.value}: ${count(g.vertices, 'vertex', 'vertices')}`)));
  return h('figure', {id: 'quotient'}, h('figcaption', null, `A circle is the vertices of one ${name}, as large as they are many; a line is as wide as there are edges`),
    svg('svg', {class: 'near quotient', viewBox: `0 0 ${SIZE} ${SIZE}`, role: 'img', 'aria-label': `${count(groups.length, 'group')} by ${name}, ${count(lines.length, 'pair')} of which have edges between them; the largest is ${groups[0] ? groups[0].value : 'none'}. The table beside has the numbers.`}, ...drawn, ...circles));
}

/** Springs along edges, and everybody pushes everybody away; from a circle, so always to the same picture. */
function layOut(groups, lines) {
  const n = groups.length;
  const spots = groups.map((g, i) => ({x: Math.cos(2 * Math.PI * i / n), y: Math.sin(2 * Math.PI * i / n)}));
  const widest = Math.max(1, ...lines.map(l => l.edges));
  const ideal = 1.6 / Math.sqrt(Math.max(1, n));
  for (let round = 0; round < ROUNDS; round++) {
    const reach = 0.12 * (1 - round / ROUNDS), moves = spots.map(() => ({x: 0, y: 0}));
    for (let a = 0; a < n; a++) for (let b = 0; b < a; b++) {
      const dx = spots[a].x - spots[b].x, dy = spots[a].y - spots[b].y, d2 = Math.max(1e-4, dx * dx + dy * dy), push = ideal * ideal / d2;
      moves[a].x += dx * push; moves[a].y += dy * push; moves[b].x -= dx * push; moves[b].y -= dy * push;
    }
    for (const l of lines) {
      const dx = spots[l.a].x - spots[l.b].x, dy = spots[l.a].y - spots[l.b].y, pull = Math.hypot(dx, dy) / ideal * (0.15 + 0.85 * Math.sqrt(l.edges / widest));
      moves[l.a].x -= dx * pull; moves[l.a].y -= dy * pull; moves[l.b].x += dx * pull; moves[l.b].y += dy * pull;
    }
    spots.forEach((s, i) => {
      const x = moves[i].x - s.x * 0.05, y = moves[i].y - s.y * 0.05, far = Math.hypot(x, y) || 1, go = Math.min(far, reach) / far;
      s.x += x * go; s.y += y * go;
    });
  }
  const fit = axis => {
    const low = Math.min(...spots.map(s => s[axis])), high = Math.max(...spots.map(s => s[axis]));
    return v => high - low < 1e-9 ? SIZE / 2 : MARGIN + (v - low) / (high - low) * (SIZE - 2 * MARGIN);
  };
  const across = fit('x'), down = fit('y');
  return spots.map(s => ({x: across(s.x), y: down(s.y)}));
}

/** Circles that cover each other go apart, and stay within the picture. */
function keepApart(spots, radius) {
  for (let pass = 0; pass < PASSES; pass++) {
    for (let a = 0; a < spots.length; a++) for (let b = 0; b < a; b++) {
      const dx = spots[a].x - spots[b].x || 0.01 * (a - b), dy = spots[a].y - spots[b].y, far = Math.hypot(dx, dy), miss = radius[a] + radius[b] + GAP - far;
      if (miss <= 0) continue;
      const x = dx / far * miss / 2, y = dy / far * miss / 2;
      spots[a].x += x; spots[a].y += y; spots[b].x -= x; spots[b].y -= y;
    }
    spots.forEach((s, i) => {
      const low = radius[i] + 14, high = SIZE - radius[i] - 4;
      s.x = Math.max(low, Math.min(high, s.x));
      s.y = Math.max(low, Math.min(high, s.y));
    });
  }
  return spots.map(s => ({x: Math.round(s.x), y: Math.round(s.y)}));
}

const short = text => text.length > 10 ? text.slice(0, 5) + '…' + text.slice(-3) : text;

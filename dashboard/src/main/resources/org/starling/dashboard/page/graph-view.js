import {h, setText, svg, Table} from './dom.js';
import {columnSection} from './column-view.js';
import {bytes, count, figure, moment, whole} from './format.js';
import {groupsSection} from './groups-view.js';
import {graphLink} from './graphs-view.js';
import {session} from './session.js';
import {words} from './words.js';

const DRAWN = 40;
const LISTED = 200;

export function graphView(root, {name, vertex, live, go}) {
  const path = `/graphs/${encodeURIComponent(name)}`;
  const facts = h('dl', {class: 'cards'});
  const columns = new Table('Columns', [
    {name: 'column', cell: c => c.name}, {name: 'type', cell: c => c.type}, {name: 'of', cell: c => c.of},
  ], c => `${c.of} ${c.name}`, 'It has no columns. Scripts publish some with graph.publish.');
  const shares = new Table('What each peer holds', [
    {name: 'peer', cell: p => `node ${p.node}`},
    {name: 'shards', number: true, cell: p => whole(p.shards)},
    {name: 'vertices', number: true, cell: p => whole(p.vertices)},
    {name: 'memory', number: true, cell: p => bytes(p.bytes)},
  ], p => p.node, 'No peer answers.');
  const field = h('input', {id: 'vertex', autocomplete: 'off', spellcheck: 'false', required: true, size: '22', value: vertex || ''});
  const direction = h('select', {id: 'direction'}, h('option', {value: 'out'}, 'out of it'), h('option', {value: 'in'}, 'into it'));
  const way = h('div', null, h('label', {for: 'direction'}, 'Edges'), direction);
  const use = h('p', {class: 'quiet', id: 'graph-use', hidden: true});
  const said = h('p', {role: 'status', id: 'vertex-said'});
  const near = h('div', {class: 'grid'});
  const from = h('input', {id: 'from', spellcheck: 'false', required: true, size: '14', value: vertex || ''});
  const to = h('input', {id: 'to', spellcheck: 'false', required: true, size: '14'});
  const pathSaid = h('p', {role: 'status', id: 'path-said'});
  let detail = null, closed = false;

  const link = id => `${graphLink(name)}/${encodeURIComponent(id)}`;
  const spread = columnSection(path, link, id => { field.placeholder = `such as ${id}`; });
  const groups = groupsSection(name, live);

  async function load() {
    try {
      detail = await session.ask(path);
      if (closed) return;
      const one = (title, value) => h('div', null, h('dt', null, title), h('dd', null, value));
      facts.replaceChildren(one('Vertices', whole(detail.vertices)), one('Edges', whole(detail.edges)),
        one('Kind', `${detail.directed ? 'directed' : 'undirected'}${detail.weighted ? ', weighted' : ''}`),
        one('Memory of a copy', bytes(detail.bytes)), one('Copies', whole(detail.copies)), one('Made (UTC)', moment(detail.created)),
        one('Used last (UTC)', moment(detail.lastUsed)), one('Jobs that use it', detail.jobs.join(', ') || 'none'));
      showUse();
      columns.set(detail.columns);
      spread.set(detail.columns);
      groups.set(detail.columns);
      shares.set(detail.peers);
      if (field.value) await ask();
    } catch (refused) {
      root.replaceChildren(h('p', null, h('a', {href: '#/graphs'}, '← All graphs')), h('h1', null, `Graph ${name}`), h('p', {class: 'bad'}, refused.message));
    }
  }

  /** What an id looks like here, and how a script names the graph. Of edges without direction none is chosen. */
  function showUse() {
    way.hidden = !detail.directed;
    use.replaceChildren(`Ids of vertices are ${detail.ids === 'text' ? 'texts, written as in the file' : 'whole numbers'}. A script names the graph: `,
      h('code', null, JSON.stringify({task: 'graph.pagerank', graph: name, top: 5})));
    use.hidden = false;
  }

  async function ask() {
    const id = field.value, asked = encodeURIComponent(id);
    setText(said, 'Asking …');
    said.className = '';
    try {
      const found = await session.ask(`${path}/vertices/-/neighbours?id=${asked}&direction=${way.hidden ? 'out' : direction.value}&limit=${LISTED}`);
      const values = await Promise.all((detail?.columns || []).filter(c => c.of === 'vertex').map(async c => {
        try {
          const told = await session.ask(`${path}/vertices/-/value?id=${asked}&column=${encodeURIComponent(c.name)}`);
          return {name: c.name, value: valueOf(told.value)};
        } catch (refused) { return {name: c.name, value: refused.message}; }
      }));
      if (closed) return;
      setText(said, `Vertex ${id} has ${count(found.count, 'neighbour')}${way.hidden ? '' : direction.value === 'in' ? ' by edges into it' : ' by edges out of it'}.`);
      show(found, values);
    } catch (refused) {
      setText(said, refused.status ? refused.message : 'The superpeer does not answer.');
      said.className = 'bad';
      near.replaceChildren();
    }
  }

  function show(found, values) {
    const list = new Table(found.count > found.neighbours.length ? `The first ${found.neighbours.length} of ${whole(found.count)} neighbours` : 'Neighbours', [
      {name: 'vertex', wide: true, cell: n => h('a', {href: link(n.id)}, String(n.id))},
      ...(found.weights ? [{name: 'weight', number: true, cell: n => n.weight === null ? '' : figure(n.weight)}] : []),
    ], n => n.key, 'It has none.');
    list.set(found.neighbours.map((id, i) => ({key: i, id, weight: found.weights ? found.weights[i] : null})));
    list.scroll.classList.add('tall');
    const of = new Table('Values', [{name: 'column', cell: v => v.name}, {name: 'value', wide: true, cell: v => v.value}], v => v.name, 'The graph has no columns of vertices.');
    of.set(values);
    near.replaceChildren(picture(found), h('div', null, of.element, h('br'), list.element));
  }

  function picture(found) {
    const drawn = found.neighbours.slice(0, DRAWN), room = drawn.length > 12 ? 9 : 20;
    const place = i => { const a = 2 * Math.PI * i / drawn.length - Math.PI / 2, r = i % 2 ? 150 : 185; return [220 + r * Math.cos(a), 210 + r * Math.sin(a)]; };
    const lines = drawn.map((id, i) => { const [x, y] = place(i); return svg('line', {x1: 220, y1: 210, x2: x, y2: y}); });
    const dots = drawn.map((id, i) => {
      const [x, y] = place(i);
      return svg('a', {href: link(id), 'aria-label': `vertex ${id}`}, svg('title', null, String(id)), svg('circle', {cx: x, cy: y, r: 7}), svg('text', {x, y: y - 10}, short(id, room)));
    });
    return h('figure', null, h('figcaption', null, found.count > drawn.length ? `The first ${drawn.length} of ${whole(found.count)} neighbours; follow one to go there` : 'Its neighbourhood; follow a vertex to go there'),
      svg('svg', {class: 'near', viewBox: '0 0 440 420', role: 'group', 'aria-label': `vertex ${found.vertex} and ${count(drawn.length, 'neighbour')}`},
        ...lines, ...dots, svg('g', {class: 'centre'}, svg('title', null, String(found.vertex)), svg('circle', {cx: 220, cy: 210, r: 10}), svg('text', {x: 220, y: 194}, short(found.vertex, room)))));
  }

  async function findPath(event) {
    event.preventDefault();
    setText(pathSaid, 'Searching …');
    try {
      const found = await session.ask(`${path}/path?from=${encodeURIComponent(from.value)}&to=${encodeURIComponent(to.value)}`);
      setText(pathSaid, found.found ? `${count(found.length, 'edge')}: ${found.path.join(' → ')}`
        : found.complete ? 'There is no path.' : `None was found among ${whole(found.visited)} vertices; the search ended at its bound.`);
    } catch (refused) { setText(pathSaid, refused.message); }
  }

  root.replaceChildren(h('p', null, h('a', {href: '#/graphs'}, '← All graphs')), h('h1', null, `Graph ${name}`), facts, use,
    h('h2', null, 'A vertex and its neighbours'),
    h('form', {class: 'row', onsubmit: event => { event.preventDefault(); go(link(field.value)); ask(); }},
      h('div', null, h('label', {for: 'vertex'}, 'Vertex'), field), way,
      h('button', {type: 'submit', class: 'main'}, 'Show')),
    said, near,
    h('h2', null, 'A shortest path'),
    h('form', {class: 'row', onsubmit: findPath}, h('div', null, h('label', {for: 'from'}, 'From'), from), h('div', null, h('label', {for: 'to'}, 'To'), to), h('button', {type: 'submit'}, 'Find')),
    pathSaid, spread.element, groups.element, h('h2', null, 'Columns'), columns.element, h('h2', null, 'Peers'), shares.element,
    words('vertex, edge', 'column', 'bin', 'component, core, community', 'copies', 'shard', 'peer'));
  columns.scroll.classList.add('tall');
  load();
  return {close() { closed = true; spread.close(); groups.close(); }};
}

/** A long name by its two ends; the picture has all of it as a title. */
function short(id, room) {
  const text = String(id), end = Math.floor((room - 1) / 2);
  return text.length > room ? `${text.slice(0, end)}…${text.slice(-end)}` : text;
}

const valueOf = value => typeof value === 'string' ? value || '(an empty text)' : typeof value === 'number' ? figure(value) : JSON.stringify(value);

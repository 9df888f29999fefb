import {h, Table} from './dom.js';
import {bytes, whole} from './format.js';
import {words} from './words.js';

export const graphLink = name => `#/graphs/${encodeURIComponent(name)}`;

export function graphsView(root, {live}) {
  const table = new Table('Graphs that the cluster keeps', [
    {name: 'graph', wide: true, cell: g => h('a', {href: graphLink(g.name)}, g.name)},
    {name: 'vertices', number: true, cell: g => whole(g.vertices)},
    {name: 'edges', number: true, cell: g => whole(g.edges)},
    {name: 'kind', cell: g => `${g.directed ? 'directed' : 'undirected'}${g.weighted ? ', weighted' : ''}`},
    {name: 'ids', cell: g => g.ids === 'text' ? 'texts' : 'numbers'},
    {name: 'columns', wide: true, cell: g => columns(g.columns)},
    {name: 'memory of a copy', number: true, cell: g => bytes(g.bytes)},
    {name: 'copies', number: true, cell: g => whole(g.copies)},
  ], g => g.name, 'No graph is kept: a job forgets its graphs when it ends. A script keeps one with "keep": true at the task that loads or generates it.');
  root.replaceChildren(h('h1', null, 'Graphs'), table.element, words('vertex, edge', 'column', 'copies'));
  const update = () => table.set(live.all('graph/').sort((a, b) => a.name < b.name ? -1 : 1));
  update();
  const unlisten = live.listen(update);
  return {close() { unlisten(); }};
}

/** Their names; of many the first ones. */
function columns(list) {
  const most = 8, names = list.slice(0, most).map(c => c.name).join(', ') || '–';
  return list.length > most ? `${names} and ${list.length - most} more` : names;
}

import {h, Table} from './dom.js';
import {bytes, whole} from './format.js';

export const graphLink = name => `#/graphs/${encodeURIComponent(name)}`;

export function graphsView(root, {live}) {
  const table = new Table('Graphs that the cluster keeps', [
    {name: 'graph', cell: g => h('a', {href: graphLink(g.name)}, g.name)},
    {name: 'vertices', number: true, cell: g => whole(g.vertices)},
    {name: 'edges', number: true, cell: g => whole(g.edges)},
    {name: 'kind', cell: g => `${g.directed ? 'directed' : 'undirected'}${g.weighted ? ', weighted' : ''}`},
    {name: 'columns', cell: g => g.columns.map(c => c.name).join(', ') || '–'},
    {name: 'memory of a copy', number: true, cell: g => bytes(g.bytes)},
    {name: 'copies', number: true, cell: g => whole(g.copies)},
  ], g => g.name, 'No graph is kept. A script keeps one that it makes with "keep": true.');
  root.replaceChildren(h('h1', null, 'Graphs'), table.element);
  const update = () => table.set(live.all('graph/').sort((a, b) => a.name < b.name ? -1 : 1));
  update();
  const unlisten = live.listen(update);
  return {close() { unlisten(); }};
}

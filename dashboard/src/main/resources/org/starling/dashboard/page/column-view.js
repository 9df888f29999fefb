// A column of a graph: how its numbers are spread, and which vertices have the greatest. The superpeer counts.
import {h, setText, svg, Table} from './dom.js';
import {count, figure, whole} from './format.js';
import {session} from './session.js';

// Those that are mostly measures come first; whole ones are often names of groups.
const NUMBERS = ['double', 'float', 'int', 'long', 'boolean'];
const TOP = 20;
const WIDTH = 640, HEIGHT = 200, LEFT = 56, BOTTOM = 22;

/** A short number for axes and tables: whole ones as they are, others by four digits. */
const shown = v => typeof v === 'string' || Number.isInteger(v) ? whole(v) : Math.abs(v) >= 1e6 || Math.abs(v) < 1e-4 ? v.toExponential(2) : String(+v.toPrecision(4));

export function columnSection(path, link, onTop) {
  const column = h('select', {id: 'column', onchange: ask});
  const scale = h('select', {id: 'scale', onchange: ask}, h('option', {value: 'linear'}, 'equally wide'), h('option', {value: 'log'}, 'each wider by a factor (logarithmic)'));
  const said = h('p', {role: 'status', id: 'column-said'});
  const place = h('div', {class: 'grid'});
  const form = h('form', {class: 'row', hidden: true, onsubmit: event => { event.preventDefault(); ask(); }},
    h('div', null, h('label', {for: 'column'}, 'Column of numbers'), column), h('div', null, h('label', {for: 'scale'}, 'Bins'), scale));
  const nothing = h('p', {class: 'quiet'}, 'It has no column of numbers. Scripts publish one with graph.publish.');
  let asking = 0, closed = false;

  async function ask() {
    const number = ++asking, name = encodeURIComponent(column.value);
    setText(said, 'Counting …');
    said.className = '';
    try {
      const [spread, top] = await Promise.all([
        session.ask(`${path}/columns/${name}/histogram?scale=${scale.value}`),
        session.ask(`${path}/columns/${name}?sort=desc&limit=${TOP}`)]);
      if (closed || number !== asking) return;
      setText(said, sentence(spread));
      place.replaceChildren(bars(spread), greatest(top, column.value));
      if (top.ids.length) onTop(String(top.ids[0]));
    } catch (refused) {
      if (closed || number !== asking) return;
      setText(said, refused.status ? refused.message : 'The superpeer does not answer.');
      said.className = 'bad';
      place.replaceChildren();
    }
  }

  function greatest(page, name) {
    const table = new Table(page.count > page.ids.length ? `The ${page.ids.length} vertices with the greatest values` : 'All vertices, the greatest value first', [
      {name: 'vertex', wide: true, cell: r => h('a', {href: link(r.id)}, String(r.id))},
      {name, number: true, cell: r => r.value === null ? 'none' : figure(r.value)},
    ], r => r.id, 'The graph has no vertices.');
    table.set(page.ids.map((id, i) => ({id, value: page.values[name][i]})));
    table.scroll.classList.add('tall');
    return h('div', null, table.element);
  }

  return {
    element: h('section', {'aria-labelledby': 'column-head'}, h('h2', {id: 'column-head'}, 'A column: how its values are spread'), form, nothing, said, place),
    /** Columns as the graph has them. */
    set(columns) {
      const numbers = columns.filter(c => c.of === 'vertex' && NUMBERS.includes(c.type))
        .sort((a, b) => NUMBERS.indexOf(a.type) - NUMBERS.indexOf(b.type));
      form.hidden = numbers.length === 0;
      nothing.hidden = numbers.length > 0;
      column.replaceChildren(...numbers.map(c => h('option', {value: c.name}, `${c.name} (${c.type})`)));
      if (numbers.length) ask();
    },
    close() { closed = true; },
  };
}

function sentence(spread) {
  if (spread.least === null) return 'No vertex has a number there.';
  const parts = [`${spread.column}: from ${shown(spread.least)} to ${shown(spread.most)}${spread.mean === null ? '' : `, ${shown(spread.mean)} on average`}, of ${count(spread.rows - spread.noNumbers, 'vertex', 'vertices')}`];
  if (spread.noNumbers) parts.push(`${count(spread.noNumbers, 'has', 'have')} no number`);
  if (spread.outside) parts.push(`${whole(spread.outside)} of not more than 0 ${spread.outside === 1 ? 'is' : 'are'} left out`);
  return parts.join('; ') + '.';
}

const range = (spread, bin) => bin.from === bin.to ? shown(bin.from) : `${shown(bin.from)} to ${shown(bin.to)}`;

function bars(spread) {
  const most = Math.max(1, ...spread.bins.map(b => b.count));
  const wide = (WIDTH - LEFT) / Math.max(1, spread.bins.length);
  const high = n => n === 0 ? 0 : Math.max(2, (HEIGHT - BOTTOM - 14) * n / most);
  const rects = spread.bins.map((b, i) => svg('rect', {x: LEFT + i * wide + 0.5, y: HEIGHT - BOTTOM - high(b.count), width: Math.max(1, wide - 1), height: high(b.count)},
    svg('title', null, `${range(spread, b)}: ${whole(b.count)}`)));
  const best = spread.bins.reduce((a, b) => b.count > a.count ? b : a, spread.bins[0] || {count: 0});
  const words = spread.bins.length ? `Vertices by ${spread.column}: ${count(spread.bins.length, 'bin')}; most, ${whole(best.count)}, have ${range(spread, best)}` : `Vertices by ${spread.column}: none`;
  const text = (x, y, anchor, value) => svg('text', {x, y, 'text-anchor': anchor}, value);
  const ends = spread.bins.length ? [text(LEFT, HEIGHT - 6, 'start', shown(spread.bins[0].from)), text(WIDTH, HEIGHT - 6, 'end', shown(spread.bins[spread.bins.length - 1].to))] : [];
  const table = new Table('Vertices by bin', [{name: spread.column, cell: b => range(spread, b)}, {name: 'vertices', number: true, cell: b => whole(b.count)}], b => b.from, 'None.');
  table.set(spread.bins);
  table.scroll.classList.add('tall');
  return h('figure', {id: 'histogram'}, h('figcaption', null, `Vertices by ${spread.column}`),
    svg('svg', {class: 'bars', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': words},
      text(LEFT - 6, 20, 'end', whole(most)), text(LEFT - 6, HEIGHT - BOTTOM, 'end', '0'),
      svg('line', {x1: LEFT, y1: HEIGHT - BOTTOM, x2: WIDTH, y2: HEIGHT - BOTTOM}), ...rects, ...ends),
    h('details', null, h('summary', null, 'The same as numbers'), table.element));
}

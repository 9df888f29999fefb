// What nodes have logged lately, as they keep it in memory: one node at a time, new lines as they come.
import {h, setText, Table} from './dom.js';
import {count, moment} from './format.js';
import {session} from './session.js';

const LINES = 200;
const PAUSE = 2000;
const KINDS = {error: 'bad', warn: 'warn'};

export function logView(root, {live, node, go}) {
  if (!session.may('operate')) {
    root.replaceChildren(h('h1', null, 'Logs'), h('p', null, `Your token has the role ${session.who.role}. To read logs takes a token of the role operate.`));
    return {close() {}};
  }
  const nodes = h('select', {id: 'log-node', onchange: () => go(`#/logs/${nodes.value}`)});
  const level = h('select', {id: 'log-level', onchange: () => ask(true)}, ['error', 'warn', 'info', 'debug'].map(l => h('option', {value: l, selected: l === 'info'}, l === 'error' ? 'errors alone' : l === 'debug' ? 'all' : `${l === 'warn' ? 'warnings' : l} and worse`)));
  const words = h('input', {id: 'log-words', type: 'search', spellcheck: 'false', size: '24', oninput: show});
  const follow = h('input', {id: 'log-follow', type: 'checkbox', checked: true, onchange: () => ask(false)});
  const said = h('p', {role: 'status', class: 'quiet', id: 'log-said'});
  const table = new Table('The last lines, the newest first', [
    {name: 'time (UTC)', cell: l => moment(l.time)},
    {name: 'level', cell: l => h('span', {class: KINDS[l.level]}, l.level)},
    {name: 'from', cell: l => h('span', {title: l.logger}, l.logger.replace(/^.*\./, ''))},
    {name: 'line', wide: true, cell: l => l.message},
  ], l => l.key, 'This node has logged no such lines lately.');
  table.scroll.classList.add('log');
  let lines = [], asking = 0, closed = false, timer = 0;

  root.replaceChildren(h('h1', null, 'Logs'),
    h('form', {class: 'row', onsubmit: event => { event.preventDefault(); ask(true); }},
      h('div', null, h('label', {for: 'log-node'}, 'Node'), nodes),
      h('div', null, h('label', {for: 'log-level'}, 'Lines'), level),
      h('div', null, h('label', {for: 'log-words'}, 'With the words'), words),
      h('div', null, follow, ' ', h('label', {for: 'log-follow', class: 'inline'}, 'New lines as they come, every two seconds'))),
    said, table.element,
    h('p', {class: 'quiet'}, 'A node keeps its last lines in memory; all of them are in the file that “cluster start” names, or where the node’s output goes.'));

  function chosen() {
    const {nodes: known = [], master} = live.get('cluster') || {};
    return node !== undefined ? Number(node) : master >= 0 ? master : known[0]?.node;
  }

  function fillNodes() {
    const cluster = live.get('cluster');
    if (!cluster) return;
    const list = cluster.nodes.map(n => ({node: n.node, text: `node ${n.node}, ${n.role}${n.node === cluster.leader ? ', leads the directory' : n.node === cluster.master ? ', leads jobs' : ''}`}));
    if (node !== undefined && !list.some(n => n.node === Number(node))) list.unshift({node: Number(node), text: `node ${node}, no member now`});
    const wanted = JSON.stringify(list);
    if (nodes.dataset.list !== wanted) {
      nodes.dataset.list = wanted;
      nodes.replaceChildren(...list.map(n => h('option', {value: n.node}, n.text)));
      nodes.value = String(chosen());
      if (!lines.length) ask(true);
    }
  }

  async function ask(anew) {
    clearTimeout(timer);
    const number = ++asking;
    if (anew) setText(said, 'Asking …');
    try {
      const told = await session.ask(`/nodes/${chosen()}/log?lines=${LINES}&level=${level.value}`);
      if (closed || number !== asking) return;
      const seen = new Map();
      lines = told.lines.map(l => {
        const text = `${l.time} ${l.logger} ${l.message}`, n = (seen.get(text) || 0) + 1;
        seen.set(text, n);
        return {...l, key: `${text} ${n}`};
      }).reverse();
      said.className = 'quiet';
      show();
    } catch (refused) {
      if (closed || number !== asking) return;
      said.className = 'bad';
      setText(said, refused.status ? refused.message : 'The superpeer does not answer.');
      lines = [];
      table.set(lines);
    }
    if (follow.checked) timer = setTimeout(() => ask(false), PAUSE);
  }

  function show() {
    const wanted = words.value.trim().toLowerCase();
    const found = wanted ? lines.filter(l => `${l.logger} ${l.message}`.toLowerCase().includes(wanted)) : lines;
    table.set(found);
    setText(said, wanted ? `${count(found.length, 'line')} of the last ${lines.length} have these words.` : lines.length === LINES ? `The last ${LINES} lines.` : `${count(lines.length, 'line')}.`);
  }

  fillNodes();
  const unlisten = live.listen(fillNodes);
  return {close() { closed = true; clearTimeout(timer); unlisten(); }};
}

import {h, setText, sureButton, Table} from './dom.js';
import {bytes, count, micros, moment, rate, seconds, whole} from './format.js';
import {LineChart} from './charts.js';
import {session} from './session.js';
import {words} from './words.js';

const HISTORY = 600;

/** What the page remembers of messages while it is open, whatever it shows. */
export class Traffic {
  constructor() {
    this.last = new Map();
    this.rates = new Map();
    this.times = [];
    this.totals = [];
  }

  look(nodes) {
    const now = performance.now();
    let total = 0;
    for (const node of nodes) {
      const sent = sum(node, 'sentMessages'), received = sum(node, 'receivedMessages'), bytesOut = sum(node, 'sentBytes');
      const before = this.last.get(node.node);
      if (before && now - before.now < 300) continue;
      if (before && sent >= before.sent) {
        const s = (now - before.now) / 1000;
        this.rates.set(node.node, {sent: (sent - before.sent) / s, received: (received - before.received) / s, bytes: (bytesOut - before.bytesOut) / s});
      }
      this.last.set(node.node, {now, sent, received, bytesOut});
    }
    for (const node of nodes) total += this.rates.get(node.node)?.sent || 0;
    if (this.rates.size === 0) return;
    this.times.push(Date.now() / 1000);
    this.totals.push(total);
    if (this.times.length > HISTORY) { this.times.shift(); this.totals.shift(); }
  }
}

const sum = (node, figure) => (node.connections || []).reduce((all, one) => all + (one[figure] || 0), 0);

export function clusterView(root, context) {
  const {live, traffic} = context;
  const cards = {};
  const card = (key, title) => h('div', null, h('dt', null, title), cards[key] = h('dd', {id: 'card-' + key}));
  const figures = h('dl', {class: 'cards'}, card('nodes', 'Nodes'), card('copies', 'Copies'), card('leader', 'Leader of the directory'), card('master', 'Master of jobs'), card('memory', 'Memory for data'), card('disk', 'Disk of this superpeer'));
  const exposed = h('p', {class: 'warn', hidden: true}), promise = h('p', {class: 'quiet'});
  const chart = new LineChart({title: 'Messages between nodes, per second, since this page was opened; times are UTC', x: 'time', unit: 'messages/s', time: true});
  const table = new Table('Nodes: memory is that for data; sent and received are messages', [
    {name: 'node', cell: n => `node ${n.node}, ${n.role}`},
    {name: 'address', cell: n => n.address},
    {name: 'state', cell: state},
    {name: 'group', cell: n => n.group || '–'},
    {name: 'cores', number: true, cell: n => whole(n.cores)},
    {name: 'memory', number: true, cell: memory},
    {name: 'chunks', number: true, cell: n => n.net && n.role === 'peer' ? whole(n.net.chunks) : '–'},
    {name: 'sent', number: true, cell: n => n.rate ? rate(n.rate.sent) : '…'},
    {name: 'received', number: true, cell: n => n.rate ? rate(n.rate.received) : '…'},
    {name: 'round trip', number: true, cell: n => n.net ? micros(n.net.roundTripP50Micros) : '–'},
    ...(session.may('operate') ? [{name: 'leave', cell: n => n.button}] : []),
  ], n => n.node, 'The directory has not told its members yet.');
  table.scroll.classList.add('nodes');
  const losses = new Table('Nodes that were lost, and who has taken over what they owned', [
    {name: 'node', cell: l => `node ${l.node}${l.address ? ' ' + l.address : ''}`},
    {name: 'lost at (UTC)', cell: l => moment(l.lostAt)},
    {name: 'why', wide: true, cell: l => l.reason},
    {name: 'zones', number: true, cell: l => whole(l.zones)},
    {name: 'recovered by', cell: l => l.by.map(s => `node ${s.node}: ${count(s.zones, 'zone')}, ${bytes(s.bytes)}`).join('; ') || '–'},
    {name: 'state', cell: lossState},
  ], l => `${l.node} ${l.lostAt}`, 'No node was lost.');
  const lossesSaid = h('p', {class: 'quiet'});
  const buttons = new Map();
  const said = h('p', {role: 'status', class: 'quiet'});
  root.replaceChildren(h('h1', null, 'Cluster'), figures, exposed, promise,
    words('node', 'superpeer', 'peer', 'directory', 'master', 'chunk', 'zone', 'durability', 'group', 'round trip', 'drain', 'silent'), h('h2', null, 'Nodes'), table.element, said, h('h2', null, 'Messages'), chart.element, h('h2', null, 'Recoveries'), losses.element, lossesSaid);

  function drainButton(node) {
    if (node.role !== 'peer' || node.leaving || !session.may('operate')) return '';
    if (!buttons.has(node.node)) {
      buttons.set(node.node, sureButton('Drain', 'Really let it leave? Its process ends.', async () => {
        try {
          await session.ask(`/nodes/${node.node}/drain`, {method: 'POST'});
          setText(said, `Node ${node.node} leaves when no job needs it any more.`);
        } catch (refused) { setText(said, refused.message); }
      }));
      buttons.get(node.node).setAttribute('aria-label', `Drain node ${node.node}`);
    }
    return buttons.get(node.node);
  }

  function update() {
    const cluster = live.get('cluster');
    if (!cluster) return;
    const nets = new Map(live.all('node/').map(n => [n.node, n]));
    const nodes = cluster.nodes.map(n => ({...n, net: nets.get(n.node), rate: traffic.rates.get(n.node),
      leads: n.node === cluster.leader && n.role === 'superpeer', master: n.node === cluster.master, button: drainButton(n)}));
    const peers = nodes.filter(n => n.role === 'peer');
    setText(cards.nodes, `${count(nodes.length - peers.length, 'superpeer')}, ${count(peers.length, 'peer')}`);
    copies(cards.copies, cluster);
    const down = cluster.absent.filter((one) => one.votes).map((one) => one.node);
    setText(cards.leader, (cluster.leader < 0 ? 'none now' : `node ${cluster.leader}`) + (down.length ? `; superpeer ${down.join(' and ')} down` : ''));
    cards.leader.className = cluster.leader < 0 ? 'bad' : down.length ? 'warn' : '';
    setText(cards.master, cluster.master < 0 ? 'none now' : `node ${cluster.master}`);
    const used = peers.reduce((all, n) => all + (n.net?.chunkHeapBytes || 0), 0);
    const limit = peers.reduce((all, n) => all + (n.net?.chunkHeapLimitBytes || 0), 0);
    setText(cards.memory, limit ? `${bytes(used)} of ${bytes(limit)}` : '…');
    const own = live.get('own') || {};
    setText(cards.disk, own.starling_data_size_bytes ? `${bytes(own.starling_data_free_bytes)} free of ${bytes(own.starling_data_size_bytes)}` : '…');
    exposed.hidden = !cluster.exposures?.length || cluster.zones === 0;
    if (!exposed.hidden) setText(exposed, exposure(cluster.exposures));
    setText(promise, `Cluster ${cluster.clusterId}. ${cluster.promise}`);
    table.set(nodes);
    const told = live.get('recoveries');
    if (told) {
      losses.set([...told.losses].reverse());
      setText(lossesSaid, `As far as superpeer ${told.leader} knows, which has led since ${moment(told.since)} UTC.${told.damagedZones ? ` ${count(told.damagedZones, 'zone')} of all times ${told.damagedZones === 1 ? 'has' : 'have'} lost chunks for good.` : ''}`);
    }
    chart.set([...traffic.times], [...traffic.totals]);
  }
  update();
  const unlisten = live.listen(update);
  return {close() { unlisten(); chart.close(); }};
}

function copies(cell, cluster) {
  const troubles = [];
  if (cluster.lost) troubles.push(`${count(cluster.lost, 'zone')} lost`);
  if (cluster.orphaned) troubles.push(`${count(cluster.orphaned, 'zone')} being recovered`);
  if (cluster.underReplicated) troubles.push(`${count(cluster.underReplicated, 'zone')} with too few copies`);
  setText(cell, troubles.length ? troubles.join(', ') : cluster.zones ? `all there (${count(cluster.zones, 'zone')})` : 'nothing is stored yet');
  cell.className = cluster.lost ? 'bad' : troubles.length ? 'warn' : cluster.zones ? 'good' : '';
}

/** Which single losses would take data. */
function exposure(places) {
  const told = places.slice(0, 4).map(one => `${one.host ? 'host' : 'rack'} ${one.domain} (${count(one.zones, 'zone')})`);
  const more = places.length > told.length ? ` or one of ${places.length - told.length} others` : '';
  return `All copies of some data are in one place: losing ${told.join(' or ')}${more} could lose it.`;
}

function lossState(loss) {
  if (loss.lostZones) return h('span', {class: 'bad'}, `${count(loss.lostZones, 'zone')} without a copy: bring back nodes that had one`);
  if (!loss.ended) return h('span', {class: 'warn'}, `${count(loss.waitingZones, 'zone')} being recovered`);
  if (loss.damagedZones) return h('span', {class: 'bad'}, `${count(loss.damagedZones, 'zone')} came back with chunks missing`);
  return h('span', {class: 'good'}, loss.zones ? `all is back, after ${seconds(loss.seconds)}` : 'it owned nothing');
}

function state(n) {
  const words = [];
  if (n.leads) words.push('leads the directory');
  if (n.master) words.push('leads jobs');
  if (n.leaving) words.push('leaving');
  if (n.diskHangs) words.push('disk does not answer');
  if (!n.net) words.push('silent');
  const kind = n.diskHangs ? 'bad' : n.leaving || !n.net ? 'warn' : '';
  return h('span', {class: kind}, words.join(', ') || 'works');
}

function memory(n) {
  if (!n.net || n.role !== 'peer') return '–';
  const used = n.net.chunkHeapBytes, limit = n.net.chunkHeapLimitBytes;
  return h('span', null, limit ? h('meter', {min: 0, max: limit, high: limit * 0.9, value: used, 'aria-label': `${bytes(used)} of ${bytes(limit)}`}) : null,
    ` ${bytes(used)}${limit ? ' of ' + bytes(limit) : ''}`);
}

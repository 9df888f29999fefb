import {h, put, setText, sureButton, Table} from './dom.js';
import {bytes, count, figure, moment, seconds, whole} from './format.js';
import {LineChart} from './charts.js';
import {HeatMap} from './heat.js';
import {graphLink} from './graphs-view.js';
import {doing, ENDED, left, statusOf} from './jobs-view.js';
import {session} from './session.js';
import {words} from './words.js';

const COURSE_PAUSE = 1000;
const LONG_RESULT = 400;

export function jobView(root, {live, id, rename}) {
  const title = h('h1', null, `Job ${id}`);
  const status = h('dd', {id: 'job-status'}), does = h('dd', {id: 'job-does'}), attempts = h('dd'), rest = h('dd'), took = h('dd'), ended = h('dd');
  const cards = {does: cell('Does', does), rest: cell('Still about', rest), took: cell('Took', took), ended: cell('Ended (UTC)', ended), attempts: cell('Attempts', attempts)};
  const why = h('p', {id: 'job-error', class: 'bad reason', hidden: true});
  const bar = h('progress', {'aria-label': 'How far it is', max: 1, hidden: true});
  const cancel = sureButton('Cancel this job', 'Really cancel it?', async () => {
    try { await session.ask(`/jobs/${id}`, {method: 'DELETE'}); } catch (refused) { setText(said, refused.message); }
  });
  const said = h('p', {role: 'status', class: 'bad'});
  const frontier = new LineChart({title: 'Frontier: vertices that compute, by superstep', x: 'superstep', unit: 'vertices'});
  const messages = new LineChart({title: 'Messages by superstep, before combining', x: 'superstep', unit: 'messages', series: 2});
  const course = h('section', {hidden: true, 'aria-labelledby': 'course-head'}, h('h2', {id: 'course-head'}, 'Supersteps'), h('p', {class: 'quiet', id: 'course-tasks'}), h('div', {class: 'grid'}, frontier.element, messages.element));
  const report = h('section', {'aria-labelledby': 'report-head', hidden: true});
  const log = h('pre', {tabindex: '0', 'aria-label': 'What tasks have said'});
  const logBox = h('section', {hidden: true}, h('h2', null, 'What tasks have said'), log);
  root.replaceChildren(h('p', null, h('a', {href: '#/jobs'}, '← All jobs')), title,
    h('dl', {class: 'cards'}, cell('Status', status), ...Object.values(cards)),
    why, bar, h('div', {class: 'row'}, cancel), said, course, report, logBox,
    words('$.tasks[1]', 'task', 'program', 'superstep', 'frontier', 'messages before combining', 'shard', 'pushed, pulled', 'attempt', 'master', 'after a loss'));
  let asked = 0, reported = false, closed = false, points = [], maps = [];

  async function askCourse() {
    if (performance.now() - asked < COURSE_PAUSE) return;
    asked = performance.now();
    try {
      const told = await session.ask(`/jobs/${id}/course`);
      if (!closed && !reported && told.points.length) { points = told.points; showCourse(points, []); }
    } catch (refused) { /* it does not run now, or not yet: what was told stays */ }
  }

  /** Marks: where each of several tasks begins, or where one lost somebody; and checkpoints. */
  function showCourse(list, events) {
    let at = 0;
    const steps = list.map(p => { const n = p.last - p.first + 1; const x = at; at += n; return {x, n}; });
    course.hidden = list.length === 0;
    const names = list.map((p, i) => ({...p, x: steps[i].x})).filter((p, i) => i === 0 || p.task !== list[i - 1].task);
    const checkpoints = list.flatMap((p, i) => p.checkpoint ? [{x: steps[i].x + steps[i].n - 1, text: 'checkpoint'}] : []);
    // losses do not say of which task's supersteps they speak
    const places = names.length > 1 ? names.map(p => ({x: p.x, text: p.name})) : events.flatMap(e => {
      const i = list.findIndex(p => p.first <= e.superstep && e.superstep <= p.last);
      return i < 0 ? [] : [{x: steps[i].x + e.superstep - list[i].first, text: e.node < 0 ? 'messages lost' : `node ${e.node} lost`}];
    });
    const marks = [...places, ...checkpoints].sort((a, b) => a.x - b.x);
    frontier.set(steps.map(s => s.x), list.map((p, i) => p.active / steps[i].n), marks);
    messages.set(steps.map(s => s.x), list.map((p, i) => p.messages / steps[i].n), marks);
    setText(course.querySelector('#course-tasks'), `${count(at, 'superstep')} of ${names.slice(-6).map(p => p.name).join(', then ')}${names.length > 6 ? ' and of earlier tasks' : ''}`);
  }

  async function askReport(job) {
    if (reported) return;
    reported = true;
    try {
      const told = await session.ask(`/jobs/${id}/report`);
      if (!closed) showReport(told);
    } catch (refused) {
      if (!refused.status) reported = false;
      report.hidden = false;
      report.replaceChildren(h('p', {class: 'quiet'}, refused.message));
    }
  }

  function showReport(told) {
    const runs = told.tasks.flatMap((task, i) => (task.runs || []).map(run => ({...run, task: task.task, number: i + 1})));
    const steps = runs.flatMap(run => run.history.map(r => ({task: run.number, name: run.task, first: r.first, last: r.last, active: r.frontier, messages: r.messages})));
    if (steps.length) showCourse(steps, told.recoveryEvents || []);
    else if (points.length && told.recoveryEvents) showCourse(points, told.recoveryEvents);
    if (!steps.length && points.length) course.querySelector('#course-tasks').append(', as far as this page has seen them; a job that is submitted with “Explain” reports them all');
    const tasks = new Table('Tasks that have run', [
      {name: 'task', cell: t => t.as ? `${t.task} (${t.as})` : t.task},
      {name: 'time', number: true, cell: t => seconds(t.seconds)},
      {name: 'supersteps', number: true, cell: t => t.supersteps ? whole(t.supersteps) : ''},
      {name: 'messages', number: true, cell: t => t.messages ? whole(t.messages) : ''},
      {name: 'result', wide: true, cell: t => t.error ? h('span', {class: 'bad'}, t.error) : resultOf(t.result)},
    ], t => t.number, 'No task has ended.');
    tasks.set([...told.tasks, ...endedBy(told)].map((t, i) => ({...t, number: i})));
    showEnd(told);
    put(report, h('h2', {id: 'report-head'}, 'Report'),
      h('p', {id: 'report-line'}, `${told.script}: ${told.status} in ${seconds(told.seconds)} on ${count(told.peers, 'peer')}.`),
      tasks.element, ...recoveries(told), ...runParts(runs),
      h('details', null, h('summary', null, 'The whole report as JSON'), h('pre', {tabindex: '0'}, JSON.stringify(told, null, 2))));
    report.hidden = false;
    if (told.log && told.log.length) { setText(log, told.log.join('\n')); logBox.hidden = false; }
  }

  function runParts(runs) {
    if (!runs.length) return [];
    const table = new Table('Programs that ran', [
      {name: 'program', cell: r => r.program},
      {name: 'graph', cell: r => live.get(`graph/${r.graph}`) ? h('a', {href: graphLink(r.graph)}, r.graph) : r.graph},
      {name: 'supersteps', number: true, cell: r => whole(r.supersteps)},
      {name: 'time', number: true, cell: r => seconds(r.seconds)},
      {name: 'pushed, pulled', number: true, cell: directions},
      {name: 'memory taken (of the peer with most)', number: true, cell: r => r.memory.length ? `${bytes(r.memory[0].takenBytes)} of ${bytes(r.memory[0].expectedBytes)} expected` : '–'},
      {name: 'after a loss', cell: r => r.resumes ? 'in the middle' : 'from its start'},
    ], r => r.key);
    table.set(runs.map((r, i) => ({...r, key: i})));
    const slow = runs.filter(r => r.history.length > 1).sort((a, b) => b.seconds - a.seconds)[0];
    return [h('h3', null, 'Programs'), table.element, ...(slow ? [slowest(slow)] : [])];
  }

  function slowest(run) {
    const columns = run.history.length;
    const rows = Math.max(...run.history.map(r => r.slowestShard)) + 1;
    const map = new HeatMap(`The slowest shard of each superstep: ${run.program} on ${run.graph}`);
    const values = new Float32Array(columns * Math.max(1, rows));
    run.history.forEach((r, i) => { if (r.slowestShard >= 0) values[r.slowestShard * columns + i] = r.slowestSeconds; });
    map.set(values, columns, Math.max(1, rows), (column, row) => {
      const r = run.history[column];
      const which = r.first === r.last ? `superstep ${r.first}` : `supersteps ${r.first} to ${r.last}`;
      return `${which}: ${seconds(r.seconds)}, ${r.direction}; slowest was shard ${r.slowestShard} with ${seconds(r.slowestSeconds)}${row === r.slowestShard ? '' : `, not shard ${row}`}`;
    }, run.history[columns - 1].last, seconds);
    maps.push(map);
    map.element.append(h('p', {class: 'quiet'}, oftenest(run)));
    return map.element;
  }

  /** How long, when and why, as far as that is known. */
  function showEnd({seconds: time, ended: when, error}) {
    if (time !== undefined) setText(took, seconds(time));
    if (when) setText(ended, moment(when));
    if (error) setText(why, error);
    cards.took.hidden = !took.textContent;
    cards.ended.hidden = !ended.textContent;
    why.className = `${status.textContent === 'cancelled' ? 'warn' : 'bad'} reason`;
    why.hidden = !why.textContent;
  }

  function update() {
    const job = live.get(`job/${id}`);
    if (!job) {
      setText(status, live.get('cluster') ? 'There is no such job. The cluster knows the last hundred that have ended.' : '…');
      for (const one of Object.values(cards)) one.hidden = true;
      cancel.hidden = true;
      return;
    }
    setText(title, `Job ${id}: ${job.name}`);
    rename(`Job ${id} ${job.status}`);
    const now = statusOf(job);
    if (status.textContent !== now.textContent) status.replaceChildren(now);
    const over = ENDED.includes(job.status);
    setText(does, over ? '' : doing(job) || '…');
    setText(attempts, job.attempt > 1 ? `${job.attempt}: a master was lost` : String(job.attempt));
    setText(rest, left(job) || 'not known yet');
    cards.does.hidden = cards.rest.hidden = over;
    cards.attempts.hidden = job.attempt < 2;
    showEnd(over ? job : {});
    cancel.hidden = over || !session.may('submit');
    bar.hidden = over || !job.progress;
    if (job.progress) bar.value = fraction(job.progress);
    if (job.progress && job.progress.log.length) { setText(log, job.progress.log.join('\n')); logBox.hidden = false; }
    if (over) askReport(job); else if (job.status === 'running') askCourse();
  }
  update();
  const unlisten = live.listen(update);
  return {close() { closed = true; unlisten(); frontier.close(); messages.close(); maps.forEach(m => m.close()); }};
}

const cell = (title, value) => h('div', null, h('dt', null, title), value);

/** How far a job is: tasks that are behind it, and of the one that runs what its step or its program has done. */
function fraction(p) {
  const inner = p.total ? p.done / p.total : p.etaSeconds != null ? p.seconds / (p.seconds + p.etaSeconds) : 0;
  return Math.min(1, (p.task - 1 + inner) / Math.max(1, p.tasks));
}

/** The task that ended a job, which is not among those that have ended: its sentence names it. */
function endedBy(told) {
  const named = /^\$\.([\w.[\]]+) \(([\w.]+)\): /.exec(told.error || '');
  return named ? [{task: named[2], error: `${told.status} here (${named[1]}); the reason is above`}] : [];
}

const PAIR = v => Array.isArray(v) && v.length === 2 && typeof v[1] === 'number';

/** A value of a result in one line: pairs of a vertex and a number as such, all else as JSON has it. */
function inLine(value) {
  if (typeof value === 'number') return figure(value);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(v => PAIR(v) ? `${v[0]}: ${figure(v[1])}` : typeof v === 'number' ? figure(v) : JSON.stringify(v)).join(value.some(PAIR) ? ', ' : '; ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function resultOf(result) {
  return h('ul', {class: 'plain'}, Object.entries(result || {}).map(([name, value]) => {
    const text = inLine(value);
    return h('li', null, h('span', {class: 'quiet'}, name + ' '), text.length <= LONG_RESULT ? text
      : h('details', null, h('summary', null, text.slice(0, LONG_RESULT) + '…'), h('p', null, text)));
  }));
}

/** Which shards held up most supersteps. */
function oftenest(run) {
  const times = new Map();
  let all = 0;
  for (const r of run.history) {
    if (r.slowestShard < 0) continue;
    const n = r.last - r.first + 1;
    all += n;
    times.set(r.slowestShard, (times.get(r.slowestShard) || 0) + n);
  }
  const most = [...times].sort((a, b) => b[1] - a[1]).slice(0, 3);
  return `Most often the slowest of all: ${most.map(([shard, n]) => `shard ${shard} (${whole(n)} of ${whole(all)} supersteps)`).join(', ')}.`;
}

function directions(run) {
  let push = 0, pull = 0;
  for (const r of run.history) {
    const n = r.last - r.first + 1;
    if (r.direction === 'push' || r.direction === 'both') push += n;
    if (r.direction === 'pull' || r.direction === 'both') pull += n;
  }
  return `${whole(push)}, ${whole(pull)}`;
}

function recoveries(told) {
  if (!told.recoveries) return [];
  const table = new Table('What was lost, and made up for', [
    {name: 'lost', cell: r => r.node < 0 ? 'messages between nodes' : `node ${r.node}, ${r.role === 'master' ? 'led the job' : 'computed'}`},
    {name: 'missed in superstep', number: true, cell: r => r.superstep < 0 ? 'none' : whole(r.superstep)},
    {name: 'went on with', number: true, cell: r => r.resumedAt < 0 ? 'its task anew' : `superstep ${whole(r.resumedAt)}`},
    {name: 'after', number: true, cell: r => seconds(r.seconds)},
  ], r => r.key);
  table.set((told.recoveryEvents || []).map((r, i) => ({...r, key: i})));
  return [h('h3', null, 'Recoveries'), table.element];
}

import {h, put, setText, sureButton, Table} from './dom.js';
import {bytes, count, seconds, whole} from './format.js';
import {LineChart} from './charts.js';
import {HeatMap} from './heat.js';
import {doing, ENDED, statusOf} from './jobs-view.js';
import {session} from './session.js';

const COURSE_PAUSE = 1000;

export function jobView(root, {live, id}) {
  const title = h('h1', null, `Job ${id}`);
  const status = h('dd', {id: 'job-status'}), does = h('dd', {id: 'job-does'}), attempts = h('dd'), rest = h('dd');
  const bar = h('progress', {'aria-label': 'Tasks', hidden: true});
  const cancel = sureButton('Cancel', 'Really cancel it?', async () => {
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
    h('dl', {class: 'cards'}, cell('Status', status), cell('Does', does), cell('Still about', rest), cell('Attempts', attempts)),
    bar, h('div', {class: 'row'}, cancel), said, course, report, logBox);
  let asked = 0, reported = false, closed = false, points = [], maps = [];

  async function askCourse() {
    if (performance.now() - asked < COURSE_PAUSE) return;
    asked = performance.now();
    try {
      const told = await session.ask(`/jobs/${id}/course`);
      if (!closed && !reported && told.points.length) { points = told.points; showCourse(points); }
    } catch (refused) { /* it does not run now, or not yet: what was told stays */ }
  }

  function showCourse(list) {
    let at = 0;
    const steps = list.map(p => { const n = p.last - p.first + 1; const x = at; at += n; return {x, n}; });
    course.hidden = list.length === 0;
    frontier.set(steps.map(s => s.x), list.map((p, i) => p.active / steps[i].n));
    messages.set(steps.map(s => s.x), list.map((p, i) => p.messages / steps[i].n));
    const names = [];
    for (const p of list) if (names.length === 0 || names[names.length - 1].task !== p.task) names.push(p);
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
    if (steps.length) showCourse(steps);
    else if (points.length) course.querySelector('#course-tasks').append(', as far as this page has seen them; a job that is submitted with “Explain” reports them all');
    const tasks = new Table('Tasks that have ended', [
      {name: 'task', cell: t => t.as ? `${t.task} (${t.as})` : t.task},
      {name: 'time', number: true, cell: t => seconds(t.seconds)},
      {name: 'supersteps', number: true, cell: t => whole(t.supersteps)},
      {name: 'messages', number: true, cell: t => whole(t.messages)},
      {name: 'result', cell: t => t.error ? h('span', {class: 'bad'}, t.error) : resultOf(t.result)},
    ], t => t.number, 'No task has ended.');
    tasks.set(told.tasks.map((t, i) => ({...t, number: i})));
    put(report, h('h2', {id: 'report-head'}, 'Report'),
      h('p', {id: 'report-line'}, `${told.script}: ${told.status} in ${seconds(told.seconds)} on ${count(told.peers, 'peer')}.`),
      told.error ? h('p', {class: 'bad'}, told.error) : null, tasks.element, ...recoveries(told), ...runParts(runs),
      h('details', null, h('summary', null, 'The whole report as JSON'), h('pre', {tabindex: '0'}, JSON.stringify(told, null, 2))));
    report.hidden = false;
    if (told.log && told.log.length) { setText(log, told.log.join('\n')); logBox.hidden = false; }
  }

  function runParts(runs) {
    if (!runs.length) return [];
    const table = new Table('Programs that ran', [
      {name: 'program', cell: r => r.program},
      {name: 'graph', cell: r => r.graph},
      {name: 'supersteps', number: true, cell: r => whole(r.supersteps)},
      {name: 'time', number: true, cell: r => seconds(r.seconds)},
      {name: 'pushed, pulled', cell: directions},
      {name: 'memory taken (most on a peer)', number: true, cell: r => r.memory.length ? `${bytes(r.memory[0].takenBytes)} of ${bytes(r.memory[0].expectedBytes)} expected` : '–'},
      {name: 'goes on after a loss', cell: r => r.resumes ? 'in the middle' : 'from its start'},
    ], r => r.key);
    table.set(runs.map((r, i) => ({...r, key: i})));
    const slow = runs.filter(r => r.history.length > 1).sort((a, b) => b.seconds - a.seconds)[0];
    return [h('h3', null, 'Programs'), table.element, ...(slow ? [slowest(slow)] : [])];
  }

  function slowest(run) {
    const columns = run.history.length;
    const rows = Math.max(...run.history.map(r => r.slowestShard)) + 1;
    const map = new HeatMap(`Slowest shard by superstep: ${run.program} on ${run.graph}`);
    const values = new Float32Array(columns * Math.max(1, rows));
    run.history.forEach((r, i) => { if (r.slowestShard >= 0) values[r.slowestShard * columns + i] = r.slowestSeconds; });
    map.set(values, columns, Math.max(1, rows), (column, row) => {
      const r = run.history[column];
      const which = r.first === r.last ? `superstep ${r.first}` : `supersteps ${r.first} to ${r.last}`;
      return `${which}: ${seconds(r.seconds)}, ${r.direction}; slowest was shard ${r.slowestShard} with ${seconds(r.slowestSeconds)}${row === r.slowestShard ? '' : `, not shard ${row}`}`;
    });
    maps.push(map);
    return map.element;
  }

  function update() {
    const job = live.get(`job/${id}`);
    if (!job) {
      setText(status, live.get('cluster') ? 'unknown' : '…');
      setText(does, live.get('cluster') ? 'There is no such job, or it ended long ago.' : '');
      cancel.hidden = true;
      return;
    }
    setText(title, `Job ${id}: ${job.name}`);
    const now = statusOf(job);
    if (status.textContent !== now.textContent) status.replaceChildren(now);
    const ended = ENDED.includes(job.status);
    setText(does, ended ? 'nothing any more' : doing(job) || '…');
    setText(attempts, job.attempt > 1 ? `${job.attempt}: a master was lost` : String(job.attempt));
    setText(rest, job.progress?.etaSeconds != null ? seconds(Math.round(job.progress.etaSeconds)) : '–');
    cancel.hidden = ended || !session.may('submit');
    bar.hidden = ended || !job.progress;
    if (job.progress) { bar.max = job.progress.tasks; bar.value = job.progress.task - 1; }
    if (job.progress && job.progress.log.length) { setText(log, job.progress.log.join('\n')); logBox.hidden = false; }
    if (ended) askReport(job); else if (job.status === 'running') askCourse();
  }
  update();
  const unlisten = live.listen(update);
  return {close() { closed = true; unlisten(); frontier.close(); messages.close(); maps.forEach(m => m.close()); }};
}

const cell = (title, value) => h('div', null, h('dt', null, title), value);

function resultOf(result) {
  return Object.entries(result).map(([name, value]) => {
    const text = JSON.stringify(value);
    return `${name} ${text.length > 60 ? text.slice(0, 60) + '…' : text}`;
  }).join(', ');
}

function directions(run) {
  let push = 0, pull = 0;
  for (const r of run.history) {
    const n = r.last - r.first + 1;
    if (r.direction === 'push' || r.direction === 'both') push += n;
    if (r.direction === 'pull' || r.direction === 'both') pull += n;
  }
  return `${push}, ${pull}`;
}

function recoveries(told) {
  if (!told.recoveries) return [];
  const table = new Table('Nodes that were lost, and made up for', [
    {name: 'node', cell: r => `${r.node} (${r.role})`},
    {name: 'missed in superstep', number: true, cell: r => r.superstep < 0 ? 'none' : whole(r.superstep)},
    {name: 'went on with', number: true, cell: r => r.resumedAt < 0 ? 'its task anew' : `superstep ${whole(r.resumedAt)}`},
    {name: 'after', number: true, cell: r => seconds(r.seconds)},
  ], r => r.key);
  table.set((told.recoveryEvents || []).map((r, i) => ({...r, key: i})));
  return [h('h3', null, 'Recoveries'), table.element];
}

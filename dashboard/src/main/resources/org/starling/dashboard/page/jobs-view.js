import {cut, h, Table} from './dom.js';
import {moment, seconds, whole} from './format.js';
import {words} from './words.js';

export const ENDED = ['succeeded', 'failed', 'cancelled'];
const KINDS = {succeeded: 'good', failed: 'bad', cancelled: 'warn', running: '', queued: 'quiet'};
const LONG_NAME = 80, LONG_REASON = 140;

export function statusOf(job) {
  const word = job.cancelRequested && !ENDED.includes(job.status) ? 'being cancelled' : job.status;
  return h('span', {class: KINDS[job.status]}, word);
}

export function doing(job) {
  const p = job.progress;
  if (job.waitsFor) return `waits for ${seconds(Math.round(job.waitingSeconds))} now: ${job.waitsFor}`;
  if (job.status === 'queued') return 'waits for its turn';
  if (!p) return '';
  const where = `task ${p.task} of ${p.tasks}: ${p.name}`;
  if (p.superstep >= 0) return `${where}, superstep ${whole(p.superstep)}`;
  return p.step ? `${where}, ${p.step}${p.total ? ` ${Math.floor(100 * p.done / p.total)} %` : ''}` : where;
}

/** How long it may still take, about; nothing where nobody can tell. */
export const left = job => job.progress?.etaSeconds != null ? seconds(Math.round(job.progress.etaSeconds)) : '';

const time = job => ENDED.includes(job.status) ? seconds(job.seconds) : left(job) && `about ${left(job)} to go`;

export function jobsView(root, {live}) {
  const table = new Table('Jobs that wait or run, and the last hundred that have ended; the newest first', [
    {name: 'job', number: true, cell: j => h('a', {href: `#/jobs/${j.id}`, 'aria-label': `job ${j.id}, ${j.name}`}, String(j.id))},
    {name: 'name', wide: true, cell: j => cut(j.name, LONG_NAME)},
    {name: 'status', cell: j => j.attempt > 1 ? h('span', null, statusOf(j), `, attempt ${j.attempt}`) : statusOf(j)},
    {name: 'what it does, or why it failed', wide: true, cell: j => ENDED.includes(j.status) ? j.error ? cut(j.error, LONG_REASON) : '' : doing(j)},
    {name: 'time', number: true, cell: time},
    {name: 'ended (UTC)', time: true, cell: j => moment(j.ended)},
    {name: 'group, priority', cell: j => j.group ? `${j.group}, ${j.priority}` : ''},
  ], j => j.id, 'There are no jobs yet. Write one under “Script”, or submit one with “starling submit”.');
  table.scroll.classList.add('jobs');
  root.replaceChildren(h('h1', null, 'Jobs'), table.element, words('$.tasks[1]', 'task', 'superstep', 'attempt', 'master', 'group'));
  const update = () => table.set(live.all('job/').sort((a, b) => b.id - a.id));
  update();
  const unlisten = live.listen(update);
  return {close() { unlisten(); }};
}

import {h, Table} from './dom.js';
import {seconds, whole} from './format.js';

export const ENDED = ['succeeded', 'failed', 'cancelled'];
const KINDS = {succeeded: 'good', failed: 'bad', cancelled: 'warn', running: '', queued: 'quiet'};

export function statusOf(job) {
  const word = job.cancelRequested && !ENDED.includes(job.status) ? 'being cancelled' : job.status;
  return h('span', {class: KINDS[job.status]}, word);
}

export function doing(job) {
  const p = job.progress;
  if (job.waitsFor) return `waits for ${job.waitsFor} (${seconds(job.waitingSeconds)})`;
  if (!p) return '';
  const where = `task ${p.task} of ${p.tasks}: ${p.name}`;
  if (p.superstep >= 0) return `${where}, superstep ${whole(p.superstep)}`;
  return p.step ? `${where}, ${p.step}${p.total ? ` ${Math.floor(100 * p.done / p.total)} %` : ''}` : where;
}

export function jobsView(root, {live}) {
  const table = new Table('Jobs that wait or run, and the last hundred that have ended', [
    {name: 'job', number: true, cell: j => h('a', {href: `#/jobs/${j.id}`, 'aria-label': `job ${j.id}, ${j.name}`}, String(j.id))},
    {name: 'name', cell: j => j.name},
    {name: 'status', cell: statusOf},
    {name: 'does', cell: doing},
    {name: 'still about', number: true, cell: j => j.progress?.etaSeconds != null ? seconds(Math.round(j.progress.etaSeconds)) : ''},
    {name: 'group', cell: j => j.group || ''},
    {name: 'priority', cell: j => j.priority || ''},
    {name: 'attempts', number: true, cell: j => j.attempt ? whole(j.attempt) : ''},
  ], j => j.id, 'There are no jobs yet. Write one under “Script”, or submit one with “starling submit”.');
  root.replaceChildren(h('h1', null, 'Jobs'), table.element);
  const update = () => table.set(live.all('job/').sort((a, b) => b.id - a.id));
  update();
  const unlisten = live.listen(update);
  return {close() { unlisten(); }};
}

// Lines over supersteps or time. uPlot draws; points beyond what a screen has are put together
// before, so ten thousand supersteps cost no more than a few hundred.
import {h} from './dom.js';
import {whole} from './format.js';

const MOST_POINTS = 2000;

export const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/**
 * At most `most` points of which the greatest and the smallest of each stretch stay, so no peak is
 * lost. Xs ascend; ys are numbers or null.
 */
export function thin(xs, ys, most = MOST_POINTS) {
  if (xs.length <= most) return [xs, ys];
  const stretch = Math.ceil(xs.length / (most / 2));
  const outX = [], outY = [];
  for (let from = 0; from < xs.length; from += stretch) {
    const to = Math.min(from + stretch, xs.length);
    let low = from, high = from;
    for (let i = from + 1; i < to; i++) {
      if (ys[i] < ys[low]) low = i;
      if (ys[i] > ys[high]) high = i;
    }
    for (const i of low === high ? [low] : [Math.min(low, high), Math.max(low, high)]) {
      outX.push(xs[i]);
      outY.push(ys[i]);
    }
  }
  return [outX, outY];
}

export class LineChart {
  /** @param options {title, x: name of x, unit: name of y, series: 1 or 2 (which colour), time: xs are seconds of the clock (UTC)} */
  constructor(options) {
    this.options = options;
    this.place = h('div', {class: 'plot', role: 'img', 'aria-label': options.title + ': no data yet'});
    this.element = h('figure', null, h('figcaption', null, options.title), this.place);
    this.plot = null;
    this.data = [[], []];
    this.marks = [];
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.place);
    this.scheme = matchMedia('(prefers-color-scheme: dark)');
    this.rebuild = () => { this.drop(); this.draw(); };
    this.scheme.addEventListener('change', this.rebuild);
  }

  /** Marks are upright lines with a word: {x, text}. */
  set(xs, ys, marks = []) {
    this.data = thin(xs, ys);
    this.marks = marks;
    this.describe(xs, ys);
    if (!this.frame) this.frame = requestAnimationFrame(() => { this.frame = 0; this.draw(); });
  }

  describe(xs, ys) {
    let best = -1;
    for (let i = 0; i < ys.length; i++) if (ys[i] !== null && (best < 0 || ys[i] > ys[best])) best = i;
    const {title, x, time} = this.options;
    const text = best < 0 ? `${title}: no data yet`
      : time ? `${title}: most ${whole(ys[best])}, now ${whole(ys[ys.length - 1])}`
        : `${title}: ${xs.length} points, most ${whole(ys[best])} at ${x} ${xs[best]}, last ${whole(ys[ys.length - 1])}`;
    const marked = this.marks.length ? `; marked: ${this.marks.map(m => `${m.text} at ${x} ${m.x}`).join(', ')}` : '';
    this.place.setAttribute('aria-label', text + marked);
  }

  draw() {
    const width = this.place.clientWidth;
    if (!width || !globalThis.uPlot) return;
    if (this.plot) { this.plot.setData(this.data); return; }
    const {x, unit, series, time} = this.options;
    const axis = {stroke: colour('--quiet'), grid: {stroke: colour('--line'), width: 1}, ticks: {stroke: colour('--line'), width: 1}};
    const line = colour(series === 2 ? '--series-2' : '--series-1');
    this.plot = new uPlot({
      width, height: 190, scales: {x: {time: !!time, ...(time ? {range: minute} : {})}, y: {range: (u, low, high) => [0, (high > 0 ? high : 1) * (this.marks.length ? 1.22 : 1.05)]}},
      cursor: {y: false},
      axes: [time ? {...axis, space: 90, values: (u, all) => all.map(clock)} : {...axis}, {...axis, size: 64, values: (u, all) => all.map(shortNumber)}],
      hooks: {draw: [u => this.drawMarks(u)]},
      // where nobody points, the legend tells the last point
      series: [{label: x, value: (u, v) => last(u, 0, v, n => time ? clock(n) : whole(n))}, {label: unit, stroke: line, fill: line + '22', width: 1.5, points: {show: this.data[0].length < 60, size: 5, fill: line},
        value: (u, v) => last(u, 1, v, whole)}],
    }, this.data, this.place);
  }

  drawMarks(u) {
    const {ctx, bbox} = u, ratio = devicePixelRatio;
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = colour('--text');
    ctx.font = `${12 * ratio}px system-ui, sans-serif`;
    ctx.textAlign = 'left';
    ctx.textBaseline = 'top';
    ctx.setLineDash([4 * ratio, 4 * ratio]);
    let free = bbox.left;
    for (const {x, text} of this.marks) {
      const at = u.valToPos(x, 'x', true), wide = ctx.measureText(text).width;
      if (at < bbox.left - 1 || at > bbox.left + bbox.width + 1) continue;
      ctx.beginPath();
      ctx.moveTo(at, bbox.top);
      ctx.lineTo(at, bbox.top + bbox.height);
      ctx.stroke();
      const behind = at + 4 * ratio, from = behind + wide <= bbox.left + bbox.width ? behind : at - 4 * ratio - wide;
      if (from < free) continue; // one word on another says nothing
      ctx.fillText(text, from, bbox.top);
      free = from + wide + 6 * ratio;
    }
    ctx.restore();
  }

  resize() {
    if (this.plot) this.plot.setSize({width: this.place.clientWidth, height: 190});
    else this.draw();
  }

  drop() {
    if (this.plot) this.plot.destroy();
    this.plot = null;
  }

  close() {
    this.observer.disconnect();
    this.scheme.removeEventListener('change', this.rebuild);
    cancelAnimationFrame(this.frame);
    this.drop();
  }
}

const clock = s => new Date(s * 1000).toISOString().slice(11, 19);

/** Times of a minute at least: of a single point uPlot would make a day. */
function minute(u) {
  const times = u.data[0], end = times.at(-1) ?? Date.now() / 1000;
  return [Math.min(times[0] ?? end, end - 60), end];
}

function last(u, series, value, write) {
  const of = value ?? u.data[series].at(-1);
  return of === null || of === undefined ? '–' : write(of);
}

function shortNumber(v) {
  if (v === 0) return '0';
  for (const [factor, name] of [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']]) {
    if (Math.abs(v) >= factor) return `${+(v / factor).toPrecision(3)}${name}`;
  }
  return String(+v.toPrecision(3));
}

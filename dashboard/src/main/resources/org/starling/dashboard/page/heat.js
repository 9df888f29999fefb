// Shards over supersteps as one picture: each pixel column stands for a run of supersteps, and
// shows the greatest value in it. Drawn into an image of the canvas's own size, cell by cell never
// more than once, whatever the number of cells.
import {h, setText} from './dom.js';
import {colour} from './charts.js';

export class HeatMap {
  constructor(title) {
    this.canvas = h('canvas', {class: 'heat', role: 'img', 'aria-label': title, tabindex: '0'});
    this.said = h('p', {class: 'quiet', 'aria-live': 'polite'}, 'Point at a place, or use the arrow keys, to read it.');
    this.top = h('span'), this.bottom = h('span'), this.end = h('span'), this.scale = h('span');
    this.element = h('figure', null, h('figcaption', null, title),
      h('div', {class: 'ends quiet', 'aria-hidden': 'true'}, this.top, this.scale), this.canvas,
      h('div', {class: 'ends quiet', 'aria-hidden': 'true'}, this.bottom, this.end), this.said);
    this.title = title;
    this.columns = 0;
    this.rows = 0;
    this.at = {column: 0, row: 0};
    this.observer = new ResizeObserver(() => this.later());
    this.observer.observe(this.canvas);
    this.canvas.addEventListener('pointermove', e => this.point(e));
    this.canvas.addEventListener('keydown', e => this.key(e));
  }

  /**
   * Values row by row (`values[row * columns + column]`), 0 for none; `tell(column, row)` says what is there,
   * `last` is the superstep of the last column, `write(value)` tells what the strongest colour stands for.
   */
  set(values, columns, rows, tell, last = columns - 1, write = String) {
    this.values = values;
    this.columns = columns;
    this.rows = rows;
    this.tell = tell;
    let most = 0;
    for (let i = 0; i < values.length; i++) if (values[i] > most) most = values[i];
    this.most = most;
    setText(this.top, '↑ shard 0');
    setText(this.bottom, `↓ shard ${rows - 1}, ← superstep 0`);
    setText(this.end, `superstep ${last} →`);
    setText(this.scale, most ? `the ${matchMedia('(prefers-color-scheme: dark)').matches ? 'brighter' : 'darker'} the longer, up to ${write(most)}` : '');
    this.canvas.setAttribute('aria-label', `${this.title}: ${last + 1} supersteps, ${rows} shards`);
    this.later();
  }

  later() {
    if (!this.frame) this.frame = requestAnimationFrame(() => { this.frame = 0; this.draw(); });
  }

  draw() {
    const {canvas, columns, rows} = this;
    const width = Math.max(1, Math.round(canvas.clientWidth * devicePixelRatio));
    const height = Math.max(1, Math.round(canvas.clientHeight * devicePixelRatio));
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    const context = canvas.getContext('2d');
    context.clearRect(0, 0, width, height);
    if (!columns || !rows || !this.most) return;
    const across = Math.min(width, columns), down = Math.min(height, rows);
    const image = new ImageData(across, down);
    const [r, g, b] = rgb(colour('--series-1'));
    for (let y = 0; y < down; y++) {
      const row0 = Math.floor(y * rows / down), row1 = Math.max(row0 + 1, Math.floor((y + 1) * rows / down));
      for (let x = 0; x < across; x++) {
        const from = Math.floor(x * columns / across), to = Math.max(from + 1, Math.floor((x + 1) * columns / across));
        let most = 0;
        for (let row = row0; row < row1; row++) {
          const start = row * columns;
          for (let c = from; c < to; c++) if (this.values[start + c] > most) most = this.values[start + c];
        }
        const i = 4 * (y * across + x);
        image.data[i] = r; image.data[i + 1] = g; image.data[i + 2] = b;
        image.data[i + 3] = most ? 70 + 185 * Math.sqrt(most / this.most) : 0;
      }
    }
    const small = new OffscreenCanvas(across, down);
    small.getContext('2d').putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(small, 0, 0, width, height);
  }

  point(event) {
    const box = this.canvas.getBoundingClientRect();
    this.say(Math.floor((event.clientX - box.left) / box.width * this.columns), Math.floor((event.clientY - box.top) / box.height * this.rows));
  }

  key(event) {
    const step = event.shiftKey ? Math.ceil(this.columns / 20) : 1;
    const move = {ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    if (!move) return;
    event.preventDefault();
    this.say(this.at.column + move[0], this.at.row + move[1]);
  }

  say(column, row) {
    if (!this.columns) return;
    this.at = {column: Math.max(0, Math.min(this.columns - 1, column)), row: Math.max(0, Math.min(this.rows - 1, row))};
    this.said.textContent = this.tell(this.at.column, this.at.row);
  }

  close() {
    this.observer.disconnect();
    cancelAnimationFrame(this.frame);
  }
}

function rgb(hex) {
  const n = parseInt(hex.slice(1), 16);
  return [n >> 16 & 255, n >> 8 & 255, n & 255];
}

// One stream of events per page. It tells all there is, then what changes; when it breaks it goes
// on behind the last event; when its superpeer is gone the page moves on to another one.
import {session} from './session.js';
import {moment, parse} from './format.js';

const SILENCE = 7000;
const RETRY = 400;
const PROBE = 1500;
const REFRESH = 30000;

export class Live {
  constructor() {
    this.values = new Map();
    this.listeners = new Set();
    this.lastId = null;
    this.seen = null;
    this.closed = false;
    this.onState = () => {};
    this.onMove = () => {};
  }

  get(name) { return this.values.get(name); }

  /** Values whose names begin so. */
  all(prefix) {
    const found = [];
    for (const [name, value] of this.values) if (name.startsWith(prefix)) found.push(value);
    return found;
  }

  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  start() {
    this.closed = false;
    this.run();
    this.refresher = setInterval(() => session.refresh().catch(() => {}), REFRESH);
  }

  stop() {
    this.closed = true;
    clearInterval(this.refresher);
    if (this.abort) this.abort.abort();
  }

  async run() {
    let failures = 0;
    while (!this.closed) {
      try {
        await this.follow(() => { failures = 0; });
        if (this.closed) return;
        failures++;
      } catch (broken) {
        if (this.closed) return;
        if (broken.status === 401) { session.who = null; session.onEnd(); return; }
        failures++;
        if (broken.status) this.onState('warn', `${broken.message} Trying again …`);
        else if (failures < 3) this.onState('warn', 'The superpeer does not answer. Looking for another one …');
        if (!broken.status && failures >= 2) {
          if (await this.move()) return;
          this.onState('bad', `No superpeer answers. ${this.seen ? `What is shown was so at ${moment(this.seen)} UTC. ` : ''}Trying again …`);
        }
      }
      await new Promise(done => setTimeout(done, Math.min(RETRY * failures, 4000)));
    }
  }

  /** Reads one stream to its end. */
  async follow(onNews) {
    this.abort = new AbortController();
    let watchdog = setTimeout(() => this.abort.abort(), SILENCE);
    const headers = session.headers({Accept: 'text/event-stream', ...(this.lastId ? {'Last-Event-ID': this.lastId} : {})});
    try {
      const response = await fetch('/api/v1/events', {headers, cache: 'no-store', credentials: 'same-origin', signal: this.abort.signal});
      if (!response.ok) {
        const answer = await response.json().catch(() => ({}));
        throw Object.assign(new Error(answer.error || `the superpeer answered ${response.status}`), {status: response.status});
      }
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      for (;;) {
        const {done, value} = await reader.read();
        if (done) return;
        clearTimeout(watchdog);
        watchdog = setTimeout(() => this.abort.abort(), SILENCE);
        text += value;
        let end;
        while ((end = text.indexOf('\n\n')) >= 0) {
          this.take(text.slice(0, end));
          text = text.slice(end + 2);
          onNews();
        }
      }
    } finally {
      clearTimeout(watchdog);
    }
  }

  take(event) {
    this.seen = new Date().toISOString();
    let kind = '', id = null, data = '';
    for (const line of event.split('\n')) {
      if (line.startsWith('event: ')) kind = line.slice(7);
      else if (line.startsWith('id: ')) id = line.slice(4);
      else if (line.startsWith('data: ')) data += line.slice(6);
    }
    if (kind === 'end') { session.who = null; session.onEnd(); return; }
    if (!kind) { this.onState('', 'Live'); return; }
    const news = parse(data);
    if (kind === 'all') this.values.clear();
    for (const [name, value] of Object.entries(news)) {
      if (value === null) this.values.delete(name); else this.values.set(name, value);
    }
    this.lastId = id;
    const trouble = this.values.get('trouble');
    this.onState(trouble ? 'warn' : '', trouble || 'Live');
    for (const listener of [...this.listeners]) listener(Object.keys(news), kind === 'all');
  }

  /** Finds another superpeer that lives, and lets the page move there. */
  async move() {
    const others = ((session.who && session.who.superpeers) || []).filter(door => door !== location.origin);
    for (const door of others) {
      try {
        await fetch(door + '/health/live', {mode: 'no-cors', cache: 'no-store', credentials: 'omit', signal: AbortSignal.timeout(PROBE)});
      } catch (silent) { continue; }
      this.onState('warn', `Going on with ${door} …`);
      this.closed = true;
      this.onMove(door);
      return true;
    }
    return false;
  }
}

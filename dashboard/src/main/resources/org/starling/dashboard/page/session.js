// Who is logged in. The cookie is out of reach of scripts; it is worth nothing without the key,
// which lies where only pages of this very origin can read it.
import {parse} from './format.js';

const KEY = 'starling.key';
const API = '/api/v1';
const ROLES = ['read', 'submit', 'operate', 'admin'];

export class Refused extends Error {
  constructor(status, tree) {
    super(tree && tree.error ? tree.error : `the superpeer answered ${status}`);
    this.status = status;
    this.errors = tree && tree.errors ? tree.errors : [];
  }
}

export const session = {
  who: null,
  ticket: null,

  may(role) {
    return this.who !== null && ROLES.indexOf(this.who.role) >= ROLES.indexOf(role);
  },

  headers(more) {
    const key = localStorage.getItem(KEY);
    return {...(key ? {'X-Starling-Page': key} : {}), ...more};
  },

  /** Asks the superpeer; throws Refused with its sentence, or TypeError if nobody answers. */
  async ask(path, options = {}) {
    const response = await fetch(API + path, {
      ...options, cache: 'no-store', credentials: 'same-origin', headers: this.headers(options.headers)});
    const text = await response.text();
    let tree = null;
    try { tree = text ? parse(text) : null; } catch (strange) { tree = {error: text.slice(0, 200)}; }
    if (!response.ok) {
      if (response.status === 401 && this.who) { this.who = null; this.onEnd(); }
      throw new Refused(response.status, tree);
    }
    return tree;
  },

  post(path, tree, method = 'POST') {
    return this.ask(path, {method, headers: {'Content-Type': 'application/json'}, body: JSON.stringify(tree)});
  },

  async begin(headers) {
    const who = await this.ask('/session', {method: 'POST', headers});
    localStorage.setItem(KEY, who.key);
    delete who.key;
    this.who = who;
    await this.refresh();
  },

  async refresh() {
    const who = await this.ask('/session');
    this.who = who;
    this.ticket = who.ticket || null;
  },

  async end() {
    try { await this.ask('/session', {method: 'DELETE'}); } finally {
      localStorage.removeItem(KEY);
      this.who = null;
      this.ticket = null;
    }
  },

  /** What another superpeer's page needs to go on; it travels behind "#", which no server sees, within TLS only. */
  luggage(more) {
    return {ticket: this.ticket, key: localStorage.getItem(KEY), ...more};
  },

  /** Goes on with what the page of another superpeer has handed over. The own key stays until that is let in. */
  adopt(luggage) {
    return this.begin({Authorization: 'Ticket ' + luggage.ticket, 'X-Starling-Page': luggage.key});
  },

  onEnd() {},
};

// The page: who is logged in, which view is shown, and on which superpeer it goes on.
import {h, setText} from './dom.js';
import {session} from './session.js';
import {Live} from './live.js';
import {loginView} from './login-view.js';
import {clusterView, Traffic} from './cluster-view.js';
import {jobsView} from './jobs-view.js';
import {jobView} from './job-view.js';
import {graphsView} from './graphs-view.js';
import {graphView} from './graph-view.js';
import {logView} from './log-view.js';
import {draft, scriptView} from './script-view.js';

const MOVE = '#move=';
const HOST = /^[\w.:[\]-]{1,80}$/;
const main = document.getElementById('main');
const state = document.getElementById('state');
const nav = document.getElementById('nav');
let view = {close() {}};
let live = null;
let traffic = null;

const ROUTES = [
  [/^#\/cluster$/, 'Cluster', () => clusterView(main, {live, traffic})],
  [/^#\/jobs$/, 'Jobs', () => jobsView(main, {live})],
  [/^#\/jobs\/(\d+)$/, 'Job', id => jobView(main, {live, id, rename})],
  [/^#\/graphs$/, 'Graphs', () => graphsView(main, {live})],
  [/^#\/graphs\/([^/]+)(?:\/([^/]+))?$/, 'Graph', (name, vertex) => rename(`Graph ${plain(name)}`) || graphView(main, {name: plain(name), vertex: plain(vertex || ''), live, go})],
  [/^#\/script$/, 'Script', () => scriptView(main, {go})],
  [/^#\/logs(?:\/(\d{1,5}))?$/, 'Logs', node => logView(main, {live, node, go})],
];

/** What was escaped; as it stands if somebody has typed what is none. */
function plain(text) {
  try { return decodeURIComponent(text); } catch (typed) { return text; }
}

/** The window's title, by which tabs are told apart. */
function rename(title) { document.title = `${title} · Starling`; }

function go(hash) { location.hash = hash; }

function say(kind, text) {
  state.dataset.kind = kind;
  setText(state, text);
}

function show(byPerson) {
  view.close();
  if (!session.who) { showLogin(); return; }
  const hash = location.hash || '#/cluster';
  for (const [pattern, title, open] of ROUTES) {
    const match = pattern.exec(hash);
    if (!match) continue;
    rename(title);
    for (const link of nav.children) {
      if (hash === link.hash || hash.startsWith(link.hash + '/')) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    view = open(...match.slice(1));
    if (byPerson) { main.focus({preventScroll: true}); scrollTo(0, 0); }
    return;
  }
  document.title = 'Starling';
  view = {close() {}};
  main.replaceChildren(h('h1', null, 'There is nothing here'), h('p', null, h('a', {href: '#/cluster'}, 'To the cluster')));
}

function showLogin() {
  rename('Log in');
  nav.hidden = true;
  document.getElementById('who').hidden = true;
  view = loginView(main, {onLogin: begin});
}

function begin() {
  nav.hidden = false;
  document.getElementById('nav-logs').hidden = !session.may('operate');
  document.getElementById('who').hidden = false;
  setText(document.getElementById('who-name'), `${session.who.name} (${session.who.role})`);
  say('', 'Connecting …');
  live = new Live();
  traffic = new Traffic();
  live.onState = say;
  live.onMove = moveTo;
  live.listen(names => { if (names.some(name => name.startsWith('node/'))) traffic.look(live.all('node/')); });
  live.start();
  show(false);
}

function end() {
  if (live) live.stop();
  live = null;
  say('', '');
  show(false);
}

/** Without TLS whoever listens there may be anybody: then the view goes along, and the token is asked for again. */
function moveTo(door) {
  const view = {route: location.hash, from: location.host};
  const luggage = door.startsWith('https:') ? session.luggage({...view, draft: draft.get()}) : view;
  location.assign(`${door}/${MOVE}${encodeURIComponent(JSON.stringify(luggage))}`);
}

/** What came along from another superpeer's page; anybody may have made a link with it. Null for none. */
function luggageOf(hash) {
  if (!hash.startsWith(MOVE)) return null;
  try { return Object(JSON.parse(decodeURIComponent(hash.slice(MOVE.length)))); } catch (torn) { return {}; }
}

/** A session that holds stays, whatever the address says; a draft comes with a good ticket only. */
async function enter(luggage) {
  try {
    await session.refresh();
  } catch (refused) {
    const handed = luggage && luggage.ticket && location.protocol === 'https:';
    if (refused.status !== 401 || !handed) throw refused;
    await session.adopt(luggage);
    if (typeof luggage.draft === 'string' && !draft.get()) draft.set(luggage.draft);
  }
}

async function open() {
  setText(document.getElementById('door'), location.host);
  session.onEnd = () => { end(); say('warn', 'The session has ended: its eight hours are over, or the token has expired or was revoked. Log in again.'); };
  document.getElementById('logout').addEventListener('click', async () => {
    try { await session.end(); } catch (refused) { session.who = null; }
    end();
  });
  document.querySelector('.skip').addEventListener('click', event => {
    event.preventDefault(); // what is behind # names views
    main.focus();
  });
  addEventListener('hashchange', () => show(true));
  const luggage = luggageOf(location.hash);
  const from = luggage && HOST.test(luggage.from) ? luggage.from : null;
  if (luggage) history.replaceState(null, '', '/' + (/^#\//.test(luggage.route) ? luggage.route : '#/cluster'));
  if (from) setText(document.getElementById('before'), ` in the place of ${from}, which has not answered`);
  try {
    await enter(luggage);
    begin();
  } catch (refused) {
    showLogin();
    if (from) say('warn', `${from} has not answered. Log in here to go on.`);
  }
}

open();

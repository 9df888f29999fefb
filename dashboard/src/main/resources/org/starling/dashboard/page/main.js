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
import {draft, scriptView} from './script-view.js';

const MOVE = '#move=';
const main = document.getElementById('main');
const state = document.getElementById('state');
const nav = document.getElementById('nav');
let view = {close() {}};
let live = null;
let traffic = null;

const ROUTES = [
  [/^#\/cluster$/, 'Cluster', () => clusterView(main, {live, traffic})],
  [/^#\/jobs$/, 'Jobs', () => jobsView(main, {live})],
  [/^#\/jobs\/(\d+)$/, 'Job', id => jobView(main, {live, id})],
  [/^#\/graphs$/, 'Graphs', () => graphsView(main, {live})],
  [/^#\/graphs\/([^/]+)(?:\/(\d+))?$/, 'Graph', (name, vertex) => graphView(main, {name: decodeURIComponent(name), vertex, go})],
  [/^#\/script$/, 'Script', () => scriptView(main, {go})],
];

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
    document.title = `${title} · Starling`;
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
  document.title = 'Log in · Starling';
  nav.hidden = true;
  document.getElementById('who').hidden = true;
  view = loginView(main, {onLogin: begin});
}

function begin() {
  nav.hidden = false;
  document.getElementById('who').hidden = false;
  setText(document.getElementById('who-name'), `${session.who.name} (${session.who.role})`);
  say('', 'Connecting …');
  live = new Live();
  traffic = new Traffic();
  live.onState = say;
  live.onMove = door => location.assign(`${door}/${MOVE}${encodeURIComponent(session.luggage({route: location.hash, draft: draft.get(), from: location.host}))}`);
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

async function open() {
  setText(document.getElementById('door'), location.host);
  session.onEnd = () => { end(); say('warn', 'The session has ended: log in again.'); };
  document.getElementById('logout').addEventListener('click', async () => {
    try { await session.end(); } catch (refused) { session.who = null; }
    end();
  });
  addEventListener('hashchange', () => show(true));
  try {
    if (location.hash.startsWith(MOVE)) {
      const luggage = JSON.parse(decodeURIComponent(location.hash.slice(MOVE.length)));
      history.replaceState(null, '', '/' + (/^#\//.test(luggage.route || '') ? luggage.route : '#/cluster'));
      if (luggage.draft && !draft.get()) draft.set(luggage.draft);
      setText(document.getElementById('before'), ` in the place of ${String(luggage.from).slice(0, 80)}, which has not answered`);
      await session.adopt(luggage);
    } else {
      await session.refresh();
    }
    begin();
  } catch (refused) {
    showLogin();
  }
}

open();

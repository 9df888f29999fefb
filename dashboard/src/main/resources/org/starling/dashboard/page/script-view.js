import {h, put, setText} from './dom.js';
import {bytes, count} from './format.js';
import {complete, tasksOf} from './completion.js';
import {session} from './session.js';

const DRAFT = 'starling.draft';
const FIRST = `{
  "name": "first flight",
  "tasks": [
    {"task": "graph.generate", "graph": "sky", "generator": "kronecker", "scale": 12},
    {"task": "graph.bfs", "as": "search", "graph": "sky", "source": 1},
    {"task": "graph.pagerank", "graph": "sky", "top": 5}
  ]
}
`;
let schema = null;

export const draft = {
  get: () => localStorage.getItem(DRAFT),
  set(text) { if (text === null || text === undefined) localStorage.removeItem(DRAFT); else localStorage.setItem(DRAFT, text); },
};

export function scriptView(root, {go}) {
  if (!session.may('submit')) {
    root.replaceChildren(h('h1', null, 'Script'), h('p', null, `Your token has the role ${session.who.role}. To submit jobs takes a token of the role submit.`));
    return {close() {}};
  }
  const text = h('textarea', {id: 'script-text', spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', wrap: 'off', 'aria-describedby': 'script-help',
    'aria-autocomplete': 'list', 'aria-controls': 'options'});
  text.value = draft.get() || FIRST;
  const folders = session.who.folders || [];
  const folder = h('input', {id: 'folder', size: '40', list: 'folders', 'aria-describedby': 'folder-help', value: folders[0] || '/'});
  const parameters = h('textarea', {id: 'parameters', rows: '2', spellcheck: 'false', placeholder: 'source=34', 'aria-describedby': 'parameters-help'});
  const explain = h('input', {id: 'explain', type: 'checkbox', checked: true});
  const options = h('ul', {id: 'options', class: 'options', role: 'listbox', 'aria-label': 'Completions', hidden: true});
  const about = h('p', {class: 'quiet', id: 'about', 'aria-live': 'polite'});
  const result = h('section', {id: 'result', 'aria-live': 'polite'});
  let found = null, chosen = 0;

  async function suggest() {
    try { schema ??= await session.ask('/schema'); } catch (refused) { setText(about, refused.message); return; }
    found = complete(text.value, text.selectionStart, schema);
    chosen = 0;
    showOptions();
  }

  function showOptions() {
    options.hidden = !found;
    if (!found) { text.removeAttribute('aria-activedescendant'); setText(about, ''); return; }
    options.replaceChildren(...found.options.slice(0, 50).map((o, i) => h('li', {role: 'option', id: `option-${i}`, 'aria-selected': String(i === chosen),
      onpointerdown: event => { event.preventDefault(); chosen = i; take(); }}, o.text)));
    text.setAttribute('aria-activedescendant', `option-${chosen}`);
    options.children[chosen]?.scrollIntoView({block: 'nearest'});
    setText(about, found.options[chosen] ? found.options[chosen].summary : '');
  }

  function take() {
    const option = found.options[chosen];
    text.setRangeText(option.text, found.from, found.to, 'end');
    if (text.value[text.selectionStart] !== '"') text.setRangeText('"', text.selectionStart, text.selectionStart, 'end');
    else text.selectionStart = text.selectionEnd = text.selectionStart + 1;
    hide();
    draft.set(text.value);
  }

  function hide() { found = null; showOptions(); }

  text.addEventListener('keydown', event => {
    if (event.key === ' ' && event.ctrlKey) { event.preventDefault(); suggest(); return; }
    if (event.key === 'Enter' && event.ctrlKey) { event.preventDefault(); run('/jobs'); return; }
    if (!found) return;
    const shown = Math.min(50, found.options.length);
    if (event.key === 'ArrowDown') chosen = (chosen + 1) % shown;
    else if (event.key === 'ArrowUp') chosen = (chosen + shown - 1) % shown;
    else if (event.key === 'Enter' || event.key === 'Tab') { event.preventDefault(); take(); return; }
    else if (event.key === 'Escape') { event.preventDefault(); hide(); return; }
    else return;
    event.preventDefault();
    showOptions();
  });
  text.addEventListener('input', event => {
    draft.set(text.value);
    if (event.inputType === 'insertText' || event.inputType === 'deleteContentBackward') suggest(); else if (found) hide();
  });
  text.addEventListener('blur', hide);

  function request() {
    const given = {};
    for (const line of parameters.value.split('\n').map(l => l.trim()).filter(l => l)) {
      const at = line.indexOf('=');
      if (at < 1) throw new Error(`A parameter is name=value; found “${line}”.`);
      given[line.slice(0, at).trim()] = line.slice(at + 1).trim();
    }
    return {label: 'script of the page', script: text.value, folder: folder.value.trim(), parameters: given, explain: explain.checked};
  }

  async function run(path) {
    hide();
    check.disabled = submit.disabled = true;
    result.replaceChildren(h('p', null, path === '/jobs' ? 'Submitting …' : 'Checking …'));
    try {
      const told = await session.ask(path, {method: 'POST', body: JSON.stringify(request()),
        headers: {'Content-Type': 'application/json', ...(path === '/jobs' ? {'Idempotency-Key': nonce()} : {})}});
      if (path === '/jobs') { go(`#/jobs/${told.id}`); return; }
      showPlan(told);
    } catch (refused) {
      put(result, h('p', {class: 'bad'}, refused.errors?.length ? `${count(refused.errors.length, 'mistake')} in the script:` : refused.status || refused.message.startsWith('A parameter') ? refused.message : 'The superpeer does not answer.'),
        refused.errors?.length ? h('ul', {class: 'errors'}, refused.errors.map(e => h('li', null, h('code', null, e.path || ''), ' ', e.error))) : null);
    } finally { check.disabled = submit.disabled = false; result.scrollIntoView({block: 'nearest'}); }
  }

  function showPlan(plan) {
    result.replaceChildren(h('p', {class: 'good'}, `The script is right: ${count(plan.taskRuns, 'task')} at most.`),
      h('ol', null, plan.steps.map(step => h('li', null, '– '.repeat(step.depth), step.step,
        step.memoryBytes != null ? h('span', {class: 'quiet'}, ` takes ${bytes(step.memoryBytes)} at most`) : null,
        step.work.length ? h('span', {class: 'quiet'}, ` (${step.work.join(', ')})`) : null))));
  }

  const check = h('button', {type: 'button', id: 'check', onclick: () => run('/jobs/check')}, 'Check');
  const submit = h('button', {type: 'button', id: 'submit', class: 'main', onclick: () => run('/jobs')}, 'Submit');
  root.replaceChildren(h('h1', null, 'Script'),
    h('label', {for: 'script-text'}, 'Text of the script'),
    h('p', {class: 'quiet', id: 'script-help'}, 'Within quotes, names of tasks and arguments are completed: arrow keys choose, Enter takes, Escape closes; Ctrl-Space asks for them. Ctrl-Enter submits.'),
    text, options, about,
    h('div', {class: 'row'}, h('div', null, h('label', {for: 'folder'}, 'Folder of its files'), folder, h('p', {class: 'quiet hint', id: 'folder-help'}, 'On the cluster’s hosts, not on yours: names of files in the script begin there.'), h('datalist', {id: 'folders'}, folders.map(f => h('option', {value: f})))),
      h('div', null, h('label', {for: 'parameters'}, 'Parameters, one a line'), parameters, h('p', {class: 'quiet hint', id: 'parameters-help'}, 'They take the place of "${source}" and the like in the script.'))),
    h('p', null, explain, ' ', h('label', {for: 'explain', class: 'inline'}, 'Explain: the report tells supersteps, slowest shards and memory of every program')),
    h('div', {class: 'row'}, check, submit), h('p', {class: 'quiet'}, 'Check runs nothing: it tells mistakes, and what each step would take. Submit runs the script on the cluster and shows the job.'), result,
    h('details', {ontoggle: listTasks}, h('summary', null, 'All tasks'), h('ul', {id: 'tasks'})));

  async function listTasks(event) {
    const list = root.querySelector('#tasks');
    if (!event.target.open || list.children.length) return;
    try { schema ??= await session.ask('/schema'); } catch (refused) { list.replaceChildren(h('li', null, refused.message)); return; }
    list.replaceChildren(...tasksOf(schema).map(t => h('li', null, h('code', null, t.text), ' ', t.summary)));
  }
  return {close() { draft.set(text.value); }};
}

function nonce() {
  return [...crypto.getRandomValues(new Uint8Array(8))].map(b => b.toString(16).padStart(2, '0')).join('');
}

// Elements without a line of HTML in a string: what comes from the cluster is only ever a text.

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else element.setAttribute(name, String(value));
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined));
  return element;
}

export function h(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function svg(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** Takes the place of what an element holds; what is null or undefined is left out. */
export function put(element, ...children) {
  element.replaceChildren(...children.flat().filter(child => child !== null && child !== undefined));
}

/** Changes a text only if it is another one, so that screen readers and selections stay calm. */
export function setText(element, text) {
  const wanted = String(text);
  if (element.textContent !== wanted) element.textContent = wanted;
}

/**
 * A table whose rows keep their elements while their contents change.
 * Columns: {name, number, wide: long texts in it are broken, time: it stays in one line, cell(row) → text or element}; the first one is the row's header.
 */
export class Table {
  constructor(caption, columns, keyOf, nothing) {
    this.columns = columns;
    this.keyOf = keyOf;
    this.rows = new Map();
    this.body = h('tbody');
    this.nothing = h('p', {class: 'quiet', hidden: true}, nothing || 'Nothing to show.');
    const heads = columns.map(c => h('th', {scope: 'col', class: c.number ? 'number' : null}, c.name));
    this.scroll = h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption},
      h('table', {class: 'stack'}, h('caption', null, caption), h('thead', null, h('tr', null, heads)), this.body));
    this.element = h('div', null, this.scroll, this.nothing);
  }

  set(list) {
    const seen = new Set();
    let place = this.body.firstChild;
    for (const item of list) {
      const key = String(this.keyOf(item));
      seen.add(key);
      let row = this.rows.get(key);
      if (!row) {
        row = h('tr', {'data-key': key}, this.columns.map((c, i) => i === 0
          ? h('th', {scope: 'row', 'data-label': c.name, class: kind(c)})
          : h('td', {'data-label': c.name, class: kind(c)})));
        this.rows.set(key, row);
      }
      this.columns.forEach((c, i) => show(row.children[i], c.cell(item)));
      if (row !== place) this.body.insertBefore(row, place);
      else place = place.nextSibling;
    }
    for (const [key, row] of this.rows) {
      if (!seen.has(key)) { row.remove(); this.rows.delete(key); }
    }
    this.scroll.hidden = list.length === 0;
    this.nothing.hidden = list.length > 0;
  }
}

const kind = column => ['number', 'wide', 'time'].find(name => column[name]) ?? null;

function show(cell, content) {
  if (!(content instanceof Node)) { setText(cell, content ?? ''); return; }
  const old = cell.firstChild;
  if (old && old.isEqualNode && old.isEqualNode(content)) return;
  cell.replaceChildren(content);
}

/** A text that is cut where it gets long; all of it shows when one points at it, and is read out. */
export function cut(text, most) {
  return text.length <= most ? text : h('span', {title: text}, text.slice(0, most - 1) + '…');
}

/** A button that asks once more before it does something that can't be undone. */
export function sureButton(text, question, act) {
  const button = h('button', {type: 'button', class: 'danger'}, text);
  let asked = 0;
  button.addEventListener('click', async () => {
    if (!asked) {
      setText(button, question);
      asked = setTimeout(() => { asked = 0; setText(button, text); }, 5000);
      return;
    }
    clearTimeout(asked);
    asked = 0;
    button.disabled = true;
    try { await act(); } finally { button.disabled = false; setText(button, text); }
  });
  return button;
}

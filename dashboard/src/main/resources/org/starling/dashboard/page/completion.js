// What can stand at a place of a script, from the JSON Schema of scripts.

/** What surrounds a position: the string it is in, the member's name, the object's start. */
export function placeOf(text, at) {
  const stack = [];
  let quote = -1, key = null, escaped = false, afterColon = false;
  for (let i = 0; i < at; i++) {
    const c = text[i];
    if (quote >= 0) {
      if (escaped) escaped = false;
      else if (c === '\\') escaped = true;
      else if (c === '"') {
        const word = text.slice(quote + 1, i);
        if (!afterColon) key = word;
        quote = -1;
      }
      continue;
    }
    if (c === '"') quote = i;
    else if (c === '{' || c === '[') { stack.push({kind: c, from: i, key, afterColon}); key = null; afterColon = c === '['; }
    else if (c === '}' || c === ']') { const was = stack.pop(); key = was ? was.key : null; afterColon = was ? was.afterColon : false; }
    else if (c === ':') afterColon = true;
    else if (c === ',') afterColon = stack.length > 0 && stack[stack.length - 1].kind === '[';
  }
  const inside = stack[stack.length - 1];
  return {quote, key, isKey: !afterColon && inside?.kind === '{', object: inside?.kind === '{' ? inside.from : -1, depth: stack.length};
}

function objectText(text, from) {
  let depth = 0, quoted = false, out = '';
  for (let i = from; i < text.length; i++) {
    const c = text[i];
    if (quoted) { if (c === '\\') { out += c + (text[++i] || ''); continue; } if (c === '"') quoted = false; }
    else if (c === '"') quoted = true;
    else if (c === '{' || c === '[') depth++;
    else if (c === '}' || c === ']') { depth--; if (depth === 0) break; }
    if (depth === 1) out += c;
  }
  return out;
}

/** Completions at a position: {from, to, options: [{text, summary}]}; null where there are none. */
export function complete(text, at, schema) {
  const place = placeOf(text, at);
  if (place.quote < 0) return null;
  const typed = text.slice(place.quote + 1, at);
  const end = /^[^"\n]*/.exec(text.slice(at))[0].length;
  const named = (list) => {
    const options = list.filter(o => o.text.includes(typed)).sort((a, b) => (b.text.startsWith(typed) - a.text.startsWith(typed)) || (a.text < b.text ? -1 : 1));
    return options.length ? {from: place.quote + 1, to: at + end, options} : null;
  };
  const inner = place.object >= 0 ? objectText(text, place.object) : '';
  const task = /"task"\s*:\s*"([^"]*)"/.exec(inner)?.[1];
  const definition = task && schema.$defs[task];
  if (place.isKey) {
    const members = place.depth === 1 ? schema.properties : definition ? definition.properties : place.depth > 1 ? blockMembers(schema) : {};
    return named(Object.entries(members).filter(([name]) => !inner.includes(`"${name}"`) || name === typed).map(([name, one]) => ({text: name, summary: one.description || ''})));
  }
  if (place.key === 'task') return named(tasksOf(schema));
  const argument = definition && definition.properties[place.key];
  const choices = argument && (argument.enum || (argument.anyOf || []).flatMap(one => one.enum || []));
  return choices && choices.length ? named(choices.map(c => ({text: String(c), summary: argument.description || ''}))) : null;
}

export const tasksOf = schema => Object.entries(schema.$defs)
  .filter(([name, one]) => one.properties && one.properties.task && one.properties.task.const === name)
  .map(([name, one]) => ({text: name, summary: one.description || ''}));

function blockMembers(schema) {
  const members = {task: {description: 'the task that runs'}};
  for (const [name, one] of Object.entries(schema.$defs)) {
    if (one.properties && !one.properties.task) for (const member of Object.keys(one.properties)) members[member] ??= {description: `of a block “${name}”`};
  }
  return members;
}

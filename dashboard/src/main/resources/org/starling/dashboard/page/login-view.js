import {h, setText} from './dom.js';
import {session} from './session.js';

export function loginView(root, context) {
  const field = h('input', {id: 'token', type: 'password', autocomplete: 'off', required: true, spellcheck: 'false', 'aria-describedby': 'token-help'});
  const said = h('p', {class: 'bad', role: 'alert', id: 'login-error'});
  const button = h('button', {type: 'submit', class: 'main'}, 'Log in');
  const form = h('form', {class: 'login', onsubmit: async event => {
    event.preventDefault();
    button.disabled = true;
    setText(said, '');
    try {
      await session.begin({Authorization: 'Bearer ' + field.value.trim()});
      field.value = '';
      context.onLogin();
    } catch (refused) {
      setText(said, refused.status === 401
        ? field.value.trim().startsWith('slg_') ? 'The cluster does not know this token, or it has expired.'
          : 'The cluster does not know this token. Tokens begin with “slg_”: a file’s name is none.'
        : refused.status ? refused.message : 'The superpeer does not answer.');
      field.select();
    } finally {
      button.disabled = false;
    }
  }},
  h('h1', null, 'Log in'),
  h('p', null, 'This page shows a Starling cluster: its nodes, its jobs, and the graphs that it keeps.'),
  h('label', {for: 'token'}, 'Token'), field,
  h('p', {class: 'quiet', id: 'token-help'}, 'The text of the file “token” in the cluster’s folder, or of a token that “starling tokens create” has made. It is not stored; you stay logged in for eight hours.'),
  button, said);
  root.replaceChildren(form);
  field.focus();
  return {close() {}};
}

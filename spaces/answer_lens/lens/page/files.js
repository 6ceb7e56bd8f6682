// The tab "Files" in the browser: what each of its buttons sends. A file travels in the call itself, as base64, and is
// not sent where it is too large. What is held on the server goes by the token that stands in the form.
const LIMIT = element.querySelector('#ft-file').dataset.limit;
const one = (selector) => document.querySelector(selector);
const press = (id) => one(`#${id}`)?.click();
const state = {turn: 0, look: 0, which: 'first', view: {}, row: '', focus: ''};
const token = () => one('#ft-form [data-token]')?.dataset.token || '';
const spoken = () => window.answerLensLanguage;
const old = (selector) => document.querySelectorAll(selector).forEach((part) => part.classList.add('al-stale'));

const chosen = () => {
  const roles = {};
  document.querySelectorAll('#ft-form select[data-role]').forEach((field) => { roles[field.dataset.role] = field.value; });
  const ticked = [...document.querySelectorAll('#ft-form input[data-metric]:checked')];
  const metrics = ticked.map((field) => field.dataset.metric);
  return JSON.stringify({roles, metrics, separator: one('#ft-separator')?.value || ''});
};
const content = (file) => new Promise((done) => {
  const reader = new FileReader();
  reader.onload = () => done(reader.result.slice(reader.result.indexOf(',') + 1));
  reader.onerror = () => done(null);
  reader.readAsDataURL(file);
});
const reset = () => { state.view = {}; state.row = ''; };

window.answerLensFiles = {
  // [content, name, source, which, token, choice, turn, language]
  async send() {
    const which = state.which, given = [which, token(), token() ? chosen() : '', String(++state.turn), spoken()];
    old('.ft-shown, .ft-listing, .ft-opened');
    reset();
    if (which === 'example') {
      document.querySelectorAll('#ft-file, #ft-second-file').forEach((field) => { field.value = ''; });
      return ['', '', 'example', 'first', ...given.slice(1)];
    }
    const field = one(which === 'second' ? '#ft-second-file' : '#ft-file');
    if (which === 'unsecond') {
      one('#ft-second-file').value = '';
      return ['', '', 'unsecond', 'second', ...given.slice(1)];
    }
    if (which === 'first') one('#ft-second-file').value = '';
    const file = field.files[0];
    if (!file) return ['', '', 'none', ...given];
    if (file.size > LIMIT) return ['', file.name, 'large', ...given];
    const sent = file.size ? await content(file) : '';
    return sent === null ? ['', file.name, 'unread', ...given] : [sent, file.name, 'file', ...given];
  },
  // [token, choice, turn, provider, model, key, address, language]: the key only where a judge is to be asked
  start(values) {
    const [provider, model, key, address] = values.slice(3);
    old('.ft-shown, .ft-listing, .ft-opened');
    reset();
    const asks = ['l3score', 'eve_judge'].some((name) => one(`#ft-metric-${name}`)?.checked);
    const judge = asks ? [provider, model, key, address] : [null, '', '', ''];
    return [token(), token() ? chosen() : '', String(++state.turn), ...judge, spoken()];
  },
  stop: () => [token(), spoken()],
  // [token, view, turn, language]
  look: () => { old('.ft-listing'); return [token(), JSON.stringify(state.view), String(++state.look), spoken()]; },
  // [token, row, turn, language]
  open: () => { old('.ft-opened'); return [token(), state.row, String(++state.look), spoken()]; },
  // [token, choice, view, row, language]
  again: () => [token(), chosen(), JSON.stringify(state.view), state.row, spoken()],
  // Without a token there is a message on the page: what it is about is sent again, to be said in the other language.
  switched: () => {
    if (token()) press('ft-again');
    else if (one('#ft-results .ft-shown:not([data-state="waiting"])')) press('ft-send');
  },
};

const filters = () => ({
  text: one('#ft-f-text').value, group: one('#ft-f-group')?.value || '', series: one('#ft-f-series').value,
  low: one('#ft-f-low').value, high: one('#ft-f-high').value, unscored: one('#ft-f-unscored').checked, page: 0,
});
const look = (changes, focus) => {
  state.view = {...state.view, ...changes};
  state.focus = focus;
  press('ft-look');
};
const acts = {
  sort(button) {
    const key = button.dataset.key;
    const down = (state.view.sort || 'row') === key && !state.view.down;
    look({sort: key, down, page: 0}, `.ft-sort[data-key="${key}"]`);
  },
  page(button) { look({page: Number(button.dataset.page)}, '.ft-listing .ft-scroll'); },
  unfilter() {
    one('.ft-filter').reset();
    document.querySelectorAll('.ft-filter :is(input, select)').forEach((field) => {
      if (field.type === 'checkbox') field.checked = false; else field.value = '';
    });
    look(filters(), '');
  },
  open(button) {
    state.row = button.dataset.row;
    state.focus = '#ft-opened-head';
    press('ft-open');
  },
  close() {
    one('.ft-opened').remove();
    const back = one(`.ft-open[data-row="${state.row}"]`);
    state.row = '';
    back?.focus();
  },
  example() { state.which = 'example'; press('ft-send'); },
  unsecond() { state.which = 'unsecond'; press('ft-send'); },
};
// Listeners for the whole document, once: what is inside the tab comes and goes.
if (!window.answerLensFilesReady) {
  window.answerLensFilesReady = true;
  const within = (event) => event.target.closest?.('#ft-tab');
  document.addEventListener('click', (event) => {
    if (!within(event)) return;
    if (event.target.matches('#ft-file, #ft-second-file')) event.target.value = '';
    const button = event.target.closest('button[data-ft]');
    if (button) { acts[button.dataset.ft]?.(button); return; }
    const row = event.target.closest('.ft-rows tr[data-row]');
    if (row && !window.getSelection().toString()) acts.open(row.querySelector('.ft-open'));
  });
  // A file that was chosen is sent at once. Chosen again, the same one must count as another: it may have changed.
  document.addEventListener('change', (event) => {
    const which = {'ft-file': 'first', 'ft-second-file': 'second'}[event.target.id];
    if (!which || !event.target.files.length) return;
    state.which = which;
    press('ft-send');
  });
  document.addEventListener('submit', (event) => {
    if (!event.target.closest('.ft-filter')) return;
    event.preventDefault();
    look(filters(), '');
  });
  // What was replaced has lost the focus: it goes to what was asked for.
  new MutationObserver(() => {
    const target = state.focus && one(state.focus);
    if (!target || target.closest('.al-stale')) return;
    state.focus = '';
    target.focus({preventScroll: target.id !== 'ft-opened-head'});
  }).observe(document.body, {subtree: true, childList: true});
}

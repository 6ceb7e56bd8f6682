// Which page is shown, and what the buttons in results do. In the head of every page, before anything is shown.
(() => {
  const page = document.documentElement, spoken = /\/zh\/?$/.test(location.pathname) ? 'zh' : 'en';
  // Gradio gives every page the language of the browser, some time after it is shown, and leaves "autocomplete" empty in
  // a password's field: neither the browser nor a password manager is to keep a key.
  const mend = () => {
    if (page.lang !== spoken) page.lang = spoken;
    document.querySelector('#key input')?.setAttribute('autocomplete', 'new-password');
  };
  new MutationObserver(mend).observe(page, {attributeFilter: ['lang'], subtree: true, childList: true});
  mend();
  // Links say what is chosen, which is remembered; a first visit at the page's own address is in the browser's language.
  const address = new URL(location.href), asked = address.searchParams.get('lang');
  let chosen = '';
  try {
    if (asked === 'en' || asked === 'zh') localStorage.setItem('answer-lens-language', asked);
    chosen = localStorage.getItem('answer-lens-language') || '';
  } catch { /* a browser that keeps nothing */ }
  const own = (navigator.language || '').toLowerCase().startsWith('zh') ? 'zh' : 'en';
  const wanted = asked === 'en' || asked === 'zh' ? asked : spoken === 'zh' ? 'zh' : chosen || own;
  address.searchParams.delete('lang');
  if (wanted !== spoken) {
    address.pathname = wanted === 'zh' ? address.pathname.replace(/\/?$/, '/zh') : address.pathname.replace(/zh\/?$/, '');
    location.replace(address);
  } else if (asked !== null) {
    history.replaceState(history.state, '', address);
  }
})();

const TEXTS = ['question', 'reference', 'answer', 'keywords'];
const FIELDS = [...TEXTS, 'several', 'multi_reference', 'min_keyword_recall', 'whole'];
const plain = (value) => String(value ?? '').replace(/\r\n?/g, '\n');
const same = (some, others) => some.every((value, at) => plain(value) === plain(others[at]));
const results = () => document.querySelector('#results');

// Each tab has an address, and each part of the results of files: #files, #files/rows. A link to an answer has "=".
const is_place = (address) => /^#[a-z-]+(\/[a-z]+)?$/.test(address);
// An address of a place alone would be taken below the base that Gradio sets, without the language.
const own_path = () => location.pathname + location.search;
const is_chosen = (button) => button.getAttribute('aria-selected') === 'true';
const find_parts = () => [...document.querySelectorAll('.ft-parts [role="tab"]')].filter((one) => one.checkVisibility());
const read_address = () => {
  const tab = [...document.querySelectorAll('[id^="tab-"][role="tab"]')].find(is_chosen);
  const name = tab?.id.replace(/^tab-|-button$/g, '') || 'answer';
  const part = name === 'files' && find_parts().find(is_chosen)?.id.replace(/^ft-part-|-button$/g, '');
  return '#' + name + (part && part !== 'summary' ? '/' + part : '');
};
let following = false;
const follow_address = () => {
  const [name, part] = is_place(location.hash) ? location.hash.slice(1).split('/') : ['answer'];
  following = true;
  const press = (button) => button && !is_chosen(button) && button.click();
  press(document.querySelector(`#tab-${name}-button`));
  if (name === 'files') press(find_parts().find((one) => one.id === `ft-part-${part || 'summary'}-button`));
  following = false;
};
addEventListener('popstate', follow_address);
// Gradio shows a tab some time after the click on its button, later on a busy machine.
const wait_until_chosen = async (button) => {
  for (let tries = 0; tries < 100 && !is_chosen(button); tries++) await new Promise((done) => setTimeout(done, 20));
};
let waiting_clicks = 0;
document.addEventListener('click', async (event) => {
  const button = event.target.closest('[role="tab"]');
  if (following || !button) return;
  waiting_clicks += 1;
  await wait_until_chosen(button);
  waiting_clicks -= 1;
  const address = read_address();
  const here = is_place(location.hash) ? location.hash : '#answer';
  if (address !== here) history.pushState(history.state, '', own_path() + address);
});

// Verdicts that are in no file yet are not lost without a question.
const find_unsaved = () => {
  const kept = document.querySelector('#rd-kept');
  return kept && kept.dataset.verdicts !== answerLens.saved ? kept.dataset : null;
};
const save = () => { answerLens.saved = document.querySelector('#rd-kept')?.dataset.verdicts; };
addEventListener('beforeunload', (event) => { if (find_unsaved()) event.preventDefault(); });
for (const kind of ['click', 'drop']) document.addEventListener(kind, (event) => {
  if (event.target.closest('.rd-link')) return save();
  const unsaved = event.target.closest('#ft-start, #ft-try, #ft-file') && find_unsaved();
  if (!unsaved) return;
  if (confirm(unsaved.ask)) return save();
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

window.answerLens = {
  saved: '',
  // After new results their first part is shown. A click that is still waited for writes the address itself, as a step to go back to.
  write_address: () => setTimeout(() => {
    if (!waiting_clicks && is_place(location.hash)) history.replaceState(history.state, '', own_path() + read_address());
  }, 50),
  scored: [],
  typed: [],
  // What is shown is old where something else stands in the fields; which example that is, if it is one.
  edited: (examples, values) => {
    answerLens.typed = values;
    if (!same(answerLens.scored, values)) results().classList.add('al-stale');
    return Object.keys(examples).find((name) => same(examples[name], values)) ?? null;
  },
  // What is shown is old until the first step of what is sent; the key is sent only where the user asked, elsewhere only
  // that there is one. On a phone the results are below the form.
  sent: (asked, values) => {
    answerLens.scored = answerLens.typed = values.slice(0, FIELDS.length);
    results().classList.add('al-stale');
    if (asked && matchMedia('(max-width: 760px)').matches) results().scrollIntoView();
    return asked ? values : values.map((value, at) => at === KEY_AT ? value && 'given' : value);
  },
  renewed: () => results().classList.toggle('al-stale', !same(answerLens.scored, answerLens.typed)),
  // What the page begins with, or what a link says, which stands in its fragment: no server is sent it.
  linked: (first) => {
    const parameters = new URLSearchParams(location.hash.slice(1));
    setTimeout(follow_address);
    if (!TEXTS.some((name) => parameters.has(name))) return first;
    const recall = parseFloat(parameters.get('min_keyword_recall'));
    return [
      ...TEXTS.map((name) => parameters.get(name) || ''),
      parameters.has('several'),
      parameters.get('multi_reference') === 'max' ? 'max' : 'first',
      isNaN(recall) ? null : recall,
      parameters.has('whole'),
    ];
  },
};

// Ctrl + Enter scores from every field of the form.
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  const form = event.target.closest('.al-side');
  if (form?.querySelector('#score')) form.querySelector('#score').click();
});

document.addEventListener('click', (event) => {
  if (event.target.closest('.al-open')) {
    const panel = document.querySelector('#judge');
    const label = panel.querySelector('button');
    if (!panel.querySelector('.label-wrap.open')) label.click();
    panel.scrollIntoView({block: 'center'});
    label.focus();
  }
  const button = event.target.closest('.al-copy[data-copied]');
  if (!button) return;
  const code = button.parentElement.querySelector('code');
  if (code) window.getSelection().selectAllChildren(code);
  else location.hash = new URLSearchParams(
    // A setting that is not chosen is left out.
    FIELDS.map((name, at) => [name, plain(answerLens.typed[at])]).filter(([name, text]) => TEXTS.includes(name) || (text && text !== 'false')));
  // The clipboard exists only on https and on the own computer.
  navigator.clipboard?.writeText(code ? code.textContent : location.href).then(() => {
    const label = button.textContent;
    button.textContent = button.dataset.copied;
    setTimeout(() => { button.textContent = label; }, 1500);
  }, () => {});
});

// A sample is read by keys alone: R, W, D, S and B press the button of that name where it is active, wherever nothing
// is being typed.
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea, select, [contenteditable]')) return;
  const button = /^[rwdsb]$/i.test(event.key) && document.querySelector(`#rd-${event.key.toLowerCase()}`);
  if (button && !button.disabled && button.checkVisibility()) button.click();
});

// Chooses the language of the page, gives tabs addresses, and does what the buttons in results do. It is in the head of
// every page, so it runs before anything is shown.
(() => {
  const root = document.documentElement;
  const page_language = /\/zh\/?$/.test(location.pathname) ? 'zh' : 'en';
  // Some time after a page is shown, Gradio gives it the language of the browser. And Gradio leaves "autocomplete" of a
  // password's field empty, but neither the browser nor a password manager should store a key.
  const correct_attributes = () => {
    if (root.lang !== page_language) root.lang = page_language;
    document.querySelector('#key input')?.setAttribute('autocomplete', 'new-password');
  };
  new MutationObserver(correct_attributes).observe(root, {attributeFilter: ['lang'], subtree: true, childList: true});
  correct_attributes();
  // The link to the other language has ?lang=. This choice is stored. Without a choice, the page at / has the language
  // of the browser.
  const address = new URL(location.href);
  const linked_language = address.searchParams.get('lang');
  const is_linked = linked_language === 'en' || linked_language === 'zh';
  let stored_language = '';
  try {
    if (is_linked) localStorage.setItem('answer-lens-language', linked_language);
    stored_language = localStorage.getItem('answer-lens-language') || '';
  } catch { /* a browser that stores nothing */ }
  const browser_language = (navigator.language || '').toLowerCase().startsWith('zh') ? 'zh' : 'en';
  let language = stored_language || browser_language;
  if (page_language === 'zh') language = 'zh';
  if (is_linked) language = linked_language;
  address.searchParams.delete('lang');
  if (language !== page_language) {
    const path = address.pathname;
    address.pathname = language === 'zh' ? path.replace(/\/?$/, '/zh') : path.replace(/zh\/?$/, '');
    location.replace(address);
  } else if (linked_language !== null) {
    history.replaceState(history.state, '', address);
  }
})();

// The values of an answer's form, in the order in which Gradio passes them.
const TEXTS = ['question', 'reference', 'answer', 'keywords'];
const FIELDS = [...TEXTS, 'several', 'multi_reference', 'min_keyword_recall', 'whole'];
const as_text = (value) => String(value ?? '').replace(/\r\n?/g, '\n');
const are_equal = (values, others) => values.every((value, position) => as_text(value) === as_text(others[position]));
// The fragment of a link to an answer. A setting without a value is left out.
const make_fragment = (values) => '#' + new URLSearchParams(
  FIELDS.map((name, position) => [name, as_text(values[position])])
    .filter(([name, text]) => TEXTS.includes(name) || (text && text !== 'false')));
const find_results = () => document.querySelector('#results');

// Each tab has an address, and each part of the results of files: #files, #files/rows. The address of an answer has "=".
const is_place = (hash) => /^#[a-z-]+(\/[a-z]+)?$/.test(hash);
// Gradio sets a base address without the language. A bare "#files" would be relative to it.
const own_path = () => location.pathname + location.search;
const is_selected = (tab) => tab.getAttribute('aria-selected') === 'true';
const list_visible_parts = () => [...document.querySelectorAll('.ft-parts [role="tab"]')].filter((tab) => tab.checkVisibility());
const read_place = () => {
  const tab = [...document.querySelectorAll('[id^="tab-"][role="tab"]')].find(is_selected);
  const name = tab?.id.replace(/^tab-|-button$/g, '') || 'answer';
  const part = name === 'files' && list_visible_parts().find(is_selected)?.id.replace(/^ft-part-|-button$/g, '');
  return '#' + name + (part && part !== 'summary' ? '/' + part : '');
};
// While the page itself presses tabs, the address is not changed.
let is_following = false;
const follow_address = () => {
  const [name, part] = is_place(location.hash) ? location.hash.slice(1).split('/') : ['answer'];
  is_following = true;
  const select = (tab) => tab && !is_selected(tab) && tab.click();
  select(document.querySelector(`#tab-${name}-button`));
  if (name === 'files') select(list_visible_parts().find((tab) => tab.id === `ft-part-${part || 'summary'}-button`));
  is_following = false;
};
addEventListener('popstate', follow_address);
// Gradio selects a tab some time after the click on its button, later on a busy machine.
const wait_until_selected = async (tab) => {
  for (let tries = 0; tries < 100 && !is_selected(tab); tries++) await new Promise((done) => setTimeout(done, 20));
};
// Clicks on tabs that are not selected yet.
let pending_clicks = 0;
document.addEventListener('click', async (event) => {
  const tab = event.target.closest('[role="tab"]');
  if (is_following || !tab) return;
  pending_clicks += 1;
  await wait_until_selected(tab);
  pending_clicks -= 1;
  const place = read_place();
  const old_place = is_place(location.hash) ? location.hash : '#answer';
  if (place !== old_place) history.pushState(history.state, '', own_path() + place);
});

// The page asks before it discards verdicts that are not saved in a file.
const find_unsaved = () => {
  const verdicts = document.querySelector('#rd-kept');
  return verdicts && verdicts.dataset.verdicts !== answerLens.saved_verdicts ? verdicts.dataset : null;
};
const mark_saved = () => { answerLens.saved_verdicts = document.querySelector('#rd-kept')?.dataset.verdicts; };
addEventListener('beforeunload', (event) => { if (find_unsaved()) event.preventDefault(); });
for (const type of ['click', 'drop']) document.addEventListener(type, (event) => {
  if (event.target.closest('.rd-link')) return mark_saved();
  const unsaved = event.target.closest('#ft-start, #ft-try, #ft-file') && find_unsaved();
  if (!unsaved) return;
  if (confirm(unsaved.ask)) return mark_saved();
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

// What the scripts of events call.
window.answerLens = {
  saved_verdicts: '',
  scored_values: [],
  typed_values: [],
  has_own_values: false,
  // Writes the selected tab and part into the address. After new results, the first part is selected. A pending click
  // writes the address itself, as a step to go back to.
  write_address: () => setTimeout(() => {
    if (!pending_clicks && is_place(location.hash)) history.replaceState(history.state, '', own_path() + read_place());
  }, 50),
  // Marks the results as old if the fields have changed; returns the name of the example with these values, or null.
  compare_fields: (examples, values) => {
    answerLens.typed_values = values;
    answerLens.has_own_values = !are_equal(Object.values(examples)[0], values);
    if (!are_equal(answerLens.scored_values, values)) find_results().classList.add('al-stale');
    return Object.keys(examples).find((name) => are_equal(examples[name], values)) ?? null;
  },
  // Marks the results as old until the first step of the new ones, and returns the values to send. If the page itself
  // asks for scores, it does not send the judge's key, only that there is one.
  send_values: (is_asked, values) => {
    answerLens.scored_values = answerLens.typed_values = values.slice(0, FIELDS.length);
    find_results().classList.add('al-stale');
    // On a phone the results are below the form.
    if (is_asked && matchMedia('(max-width: 760px)').matches) find_results().scrollIntoView();
    if (is_asked) return values;
    return values.map((value, position) => position === KEY_POSITION ? value && 'given' : value);
  },
  // Marks the results as old or new, after they were drawn.
  mark_results: () => {
    const is_old = !are_equal(answerLens.scored_values, answerLens.typed_values);
    find_results().classList.toggle('al-stale', is_old);
  },
  // Returns the values of the link that opened the page. They are in the address's fragment, which is sent to no server.
  // Without a link, the fields keep their values: the first example, or what the visitor has written meanwhile.
  read_link: (values) => {
    const parameters = new URLSearchParams(location.hash.slice(1));
    setTimeout(follow_address);
    if (!TEXTS.some((name) => parameters.has(name))) return values;
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

// The page in the other language has the same answer, or the same tab if nothing was written.
document.addEventListener('click', (event) => {
  const link = event.target.closest('.al-language');
  if (link) link.hash = answerLens.has_own_values ? make_fragment(answerLens.typed_values) : is_place(location.hash) ? location.hash : '';
});

// Ctrl + Enter scores from every field of the form.
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  const form = event.target.closest('.al-side');
  if (form?.querySelector('#score')) form.querySelector('#score').click();
});

// The button "al-open" opens the judge's form. The button "al-copy" copies the code beside it, or a link to the answer.
document.addEventListener('click', (event) => {
  if (event.target.closest('.al-open')) {
    const form = document.querySelector('#judge');
    const head = form.querySelector('button');
    if (!form.querySelector('.label-wrap.open')) head.click();
    form.scrollIntoView({block: 'center'});
    head.focus();
  }
  const button = event.target.closest('.al-copy[data-copied]');
  if (!button) return;
  const code = button.parentElement.querySelector('code');
  if (code) window.getSelection().selectAllChildren(code);
  else location.hash = make_fragment(answerLens.typed_values);
  // The clipboard exists only with https and on the owner's computer.
  navigator.clipboard?.writeText(code ? code.textContent : location.href).then(() => {
    const label = button.textContent;
    button.textContent = button.dataset.copied;
    setTimeout(() => { button.textContent = label; }, 1500);
  }, () => {});
});

// In a sample, the keys R, W, D, S and B press the button of that name if it is active and nothing is being typed.
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea, select, [contenteditable]')) return;
  const button = /^[rwdsb]$/i.test(event.key) && document.querySelector(`#rd-${event.key.toLowerCase()}`);
  if (button && !button.disabled && button.checkVisibility()) button.click();
});

// Which page is shown, and what the buttons in results do. In the head of every page, before anything is shown.
(() => {
  const spoken = /\/zh\/?$/.test(location.pathname) ? 'zh' : 'en';
  document.documentElement.lang = window.answerLensLanguage = spoken;
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

window.answerLens = {
  // Marks what is shown as old; the key is sent only where the user asked, elsewhere only that there is one.
  sent: (asked, values) => {
    document.querySelector('#results').classList.add('al-stale');
    return asked ? values : values.map((value, at) => at === KEY_AT ? value && 'given' : value);
  },
};

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
  window.getSelection().selectAllChildren(code);
  // The clipboard exists only on https and on the own computer.
  navigator.clipboard?.writeText(code.textContent).then(() => {
    const label = button.textContent;
    button.textContent = button.dataset.copied;
    setTimeout(() => { button.textContent = label; }, 1500);
  }, () => {});
});

// Neither the browser nor a password manager is to keep a key; Gradio leaves "autocomplete" empty in a password's field.
new MutationObserver(() => {
  document.querySelector('#key input')?.setAttribute('autocomplete', 'new-password');
}).observe(document.documentElement, {subtree: true, childList: true});

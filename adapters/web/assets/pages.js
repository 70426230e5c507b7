/** Makes the pages better where scripts run. No page needs it. */
'use strict';

const TEXTS = 'input:not([type="hidden"], [type="checkbox"], [type="radio"], [hidden]), textarea';
const FIELDS = `${TEXTS}, select, fieldset`;
const SENDING_MS = 5000;
const COPIED_MS = 2000;

/** Loads a page again that the button "back" brings back, since the developer may have signed out. Keeps what was typed. */
addEventListener('pageshow', (event) => {
  if (event.persisted && !Array.from(document.querySelectorAll('form[data-form]')).some(isFilledIn)) location.reload();
});

/** Returns whether a signed-in developer has typed something there. */
function isFilledIn(form) {
  const texts = Array.from(form.querySelectorAll(TEXTS));
  return form.elements.token !== undefined && texts.some(({ value, defaultValue }) => value !== defaultValue);
}

/** Shows times in the reader's time zone. */
const DATE = { day: 'numeric', month: 'short', year: 'numeric' };
const days = new Intl.DateTimeFormat('en-GB', DATE);
const daysAndMinutes = new Intl.DateTimeFormat('en-GB', { ...DATE, hour: '2-digit', minute: '2-digit' });
for (const time of document.querySelectorAll('time')) {
  const at = new Date(time.dateTime);
  if (time.dataset.as === undefined) time.textContent = daysAndMinutes.format(at);
  else time.title = daysAndMinutes.format(at);
  if (time.dataset.as === 'day') time.textContent = days.format(at);
}
groupByDay(Array.from(document.querySelectorAll('[data-day]')));

/** Puts the entries of a history under the reader's days, in place of those of UTC. */
function groupByDay(sections) {
  let last;
  for (const entry of sections.flatMap((section) => Array.from(section.querySelectorAll('li')))) {
    const day = days.format(new Date(entry.querySelector('time').dateTime));
    if (last?.querySelector('h2').textContent !== day) {
      last = sections[0].cloneNode(true);
      last.querySelector('h2').textContent = day;
      last.querySelector('ul').replaceChildren();
      sections[0].before(last);
    }
    last.querySelector('ul').append(entry);
  }
  for (const section of sections) section.remove();
}

for (const button of document.querySelectorAll('[data-copy]')) {
  const source = document.getElementById(button.dataset.copy);
  button.hidden = false;
  button.addEventListener('click', async () => {
    const isCopied = await copy(source);
    document.getElementById('told').textContent = isCopied
      ? 'Copied'
      : 'Copying failed. The text is selected: copy it by hand.';
    button.textContent = isCopied ? 'Copied' : 'Copy by hand';
    setTimeout(() => (button.textContent = 'Copy'), COPIED_MS);
  });
}

/** Selects the text as well: browsers give the clipboard only to pages that came over TLS. */
async function copy(source) {
  getSelection().selectAllChildren(source);
  try {
    await navigator.clipboard.writeText(source.textContent);
    return true;
  } catch {
    return document.execCommand('copy');
  }
}

/** Copies a file. Where the browser gives no clipboard, or the file does not come, it follows the link to the file. */
for (const link of document.querySelectorAll('[data-copy-file]')) {
  const label = link.textContent;
  link.addEventListener('click', async (event) => {
    event.preventDefault();
    try {
      const file = await fetch(link.href);
      if (!file.ok) throw new Error(`${file.status}`);
      await navigator.clipboard.writeText(await file.text());
      document.getElementById('told').textContent = link.textContent = 'Copied';
      setTimeout(() => (link.textContent = label), COPIED_MS);
    } catch {
      location.assign(link.href);
    }
  });
}

for (const button of document.querySelectorAll('[data-reveal]')) {
  const input = document.getElementById(button.dataset.reveal);
  button.hidden = false;
  button.addEventListener('click', () => {
    const isHidden = input.type === 'password';
    input.type = isHidden ? 'text' : 'password';
    button.textContent = isHidden ? 'Hide' : 'Show';
    input.focus();
  });
}

/** Returns what is wrong with a field; empty when it is right. The service checks it again, by its own rules. */
function mistake(field) {
  if (field.localName === 'fieldset') return field.querySelector(':checked') === null ? field.dataset.required : '';
  const { least, most, mostBytes, pattern, price, verbatim } = field.dataset;
  const label = field.labels[0].firstChild.textContent.trim();
  if (mostBytes)
    return field.files[0]?.size > Number(mostBytes)
      ? `${label} must have at most ${formatNumber(mostBytes)} bytes.`
      : '';
  const text = verbatim === undefined ? field.value.trim() : field.value;
  const length = Array.from(text).length;
  if (text === '') return field.required ? `${label} is required.` : '';
  if (least && length < Number(least)) return `${label} must have ${least} to ${most} characters.`;
  if (most && length > Number(most))
    return `${label} must have at most ${formatNumber(most)} characters; it has ${formatNumber(length)}.`;
  if (pattern && !new RegExp(pattern, 'u').test(text)) return `${label} contains a character that is not allowed.`;
  return price ? mistakeInPrice(label, text, field.dataset) : '';
}

function mistakeInPrice(label, text, { price, priceRule, highest }) {
  const number = new RegExp(price).exec(text)?.[1];
  if (number === undefined) return `${label} ${priceRule}.`;
  return Number(number.replace(',', '.')) > Number(highest) ? `${label} must be from 0 to ${highest}.` : '';
}

function messageOf(field) {
  return document.getElementById(`${field.id}-message`);
}

/** Shows what is wrong with a field next to it, or removes the message of a field that is right. Returns whether it is right. */
function check(field) {
  const text = mistake(field);
  const message = messageOf(field);
  message.textContent = text;
  message.hidden = text === '';
  for (const input of field.elements ?? [field]) {
    if (text === '') input.removeAttribute('aria-invalid');
    else input.setAttribute('aria-invalid', 'true');
  }
  if (text === '') removeFromSummary(field);
  return text === '';
}

/** Removes a field from the list at the top of the page, and the list with its last field. */
function removeFromSummary(field) {
  const item = document.querySelector(`.problems a[href="#${field.id}"]`)?.closest('li');
  const summary = item?.closest('.problems');
  item?.remove();
  if (summary?.querySelector('li') === null) summary.remove();
}

/**
 * Removes the message of a field as soon as what is typed is right. A message comes only when the form is sent, and never comes or goes
 * when a field loses the focus: then the button moves while it is being clicked, and the click is lost.
 */
function watch(field) {
  field.addEventListener('input', () => {
    if (!messageOf(field).hidden) check(field);
  });
}

function count(field) {
  const counter = document.createElement('span');
  counter.className = 'count';
  counter.setAttribute('aria-hidden', 'true');
  field.labels[0].append(counter);
  const show = () =>
    (counter.textContent = `${formatNumber(Array.from(field.value.trim()).length)} / ${formatNumber(field.dataset.most)}`);
  field.addEventListener('input', show);
  show();
}

function formatNumber(number) {
  return Number(number).toLocaleString('en-US');
}

for (const form of document.querySelectorAll('form[data-form]')) {
  const fields = form.querySelectorAll(FIELDS);
  for (const field of fields) watch(field);
  for (const field of form.querySelectorAll('[data-count]')) count(field);
  form.addEventListener('submit', (event) => {
    const wrong = Array.from(fields).filter((field) => !check(field));
    if (wrong.length > 0 || form.dataset.sent !== undefined) event.preventDefault();
    if (wrong.length > 0) (wrong[0].elements?.[0] ?? wrong[0]).focus();
    else disableForAWhile(form);
  });
}

/** Prevents a second sending while an answer can be expected. After that the form can be sent again, as when the browser was told to stop. */
function disableForAWhile(form) {
  const buttons = form.querySelectorAll('button:not([type="button"])');
  form.dataset.sent = '';
  for (const button of buttons) button.setAttribute('aria-disabled', 'true');
  setTimeout(() => {
    delete form.dataset.sent;
    for (const button of buttons) button.removeAttribute('aria-disabled');
  }, SENDING_MS);
}

const TYPING_MS = 300;

/** Shows next to a form what buyers will see, a moment after each change. Without an answer, the last one stays. */
for (const form of document.querySelectorAll('[data-preview]')) {
  let timer;
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void preview(form), TYPING_MS);
  });
}

async function preview(form) {
  const body = new URLSearchParams(new FormData(form));
  try {
    const answer = await fetch(form.dataset.preview, { method: 'POST', body, redirect: 'error' });
    if (answer.ok) document.getElementById('preview').innerHTML = await answer.text();
  } catch {
    // The form itself will say what is wrong.
  }
}

/** Leaves empty fields out of the address of a search. */
for (const form of document.querySelectorAll('form[data-lean]'))
  form.addEventListener('formdata', ({ formData }) => {
    for (const [name, value] of Array.from(formData)) if (value === '') formData.delete(name);
  });

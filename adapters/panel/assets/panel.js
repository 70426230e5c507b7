/** Makes the pages better where a script may run; none of them needs it. */
'use strict';

/** A page that comes back by the button "back" is asked for again: whoever looks at it may have signed out. What somebody has typed stays. */
addEventListener('pageshow', (event) => {
  if (event.persisted && !Array.from(document.querySelectorAll('[data-form]')).some(isFilledIn)) location.reload();
});

/** Whether a developer who was signed in has typed something there. */
function isFilledIn(form) {
  return form.elements.token !== undefined && fieldsOf(form).some((field) => field.localName !== 'select' && isChanged(field));
}

function fieldsOf(form) {
  return Array.from(form.querySelectorAll('input:not([type="hidden"], [type="checkbox"]), textarea, select'));
}

/** Whether it is not as it came; a choice always counts as one. */
function isChanged(field) {
  return field.value !== field.defaultValue;
}

/** Times in the zone of whoever reads them. */
const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' });
for (const time of document.querySelectorAll('time')) {
  const local = format.format(new Date(time.dateTime));
  if (time.dataset.form === undefined) time.textContent = local;
  else time.title = local;
}

for (const button of document.querySelectorAll('[data-copy]')) {
  const source = document.getElementById(button.dataset.copy);
  button.hidden = false;
  button.addEventListener('click', async () => {
    const isCopied = await copied(source);
    document.getElementById('told').textContent = isCopied ? 'Copied' : 'It could not be copied. It is marked; copy it by hand.';
    button.textContent = isCopied ? 'Copied' : 'Copy by hand';
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
}

/** The clipboard is for pages that came encrypted; for others the text is marked, to be copied by hand. */
async function copied(source) {
  getSelection().selectAllChildren(source);
  try {
    await navigator.clipboard.writeText(source.textContent);
    return true;
  } catch {
    return document.execCommand('copy');
  }
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

/** What is wrong with what was typed; empty when nothing is. The service looks at it again, by its own rules. */
function mistake(field) {
  const { least, most, pattern, decimals, verbatim } = field.dataset;
  const label = field.labels[0].firstChild.textContent.trim();
  const text = verbatim === undefined ? field.value.trim() : field.value;
  const length = Array.from(text).length;
  if (text === '') return field.required ? `${label} is required.` : '';
  if (least && length < Number(least)) return `${label} must have ${least} to ${most} characters.`;
  if (most && length > Number(most)) return `${label} must have at most ${Number(most).toLocaleString('en-US')} characters; it has ${length.toLocaleString('en-US')}.`;
  if (pattern && !new RegExp(pattern, 'u').test(text)) return `${label} has a character that cannot be shown.`;
  return decimals ? mistakeInPrice(label, text, field.dataset) : '';
}

function mistakeInPrice(label, text, { decimals, highest, example }) {
  if (!/^\d{1,12}(\.\d{1,6})?$/.test(text)) return `${label} must be a number such as ${example}.`;
  if (Number(text) > Number(highest)) return `${label} must be from 0 to ${highest}.`;
  const wanted = (text.split('.')[1] ?? '').replace(/0+$/, '').length;
  return wanted > Number(decimals) ? `${label} must have at most ${decimals} decimals.` : '';
}

function check(field) {
  const message = document.getElementById(`${field.id}-message`);
  const text = mistake(field);
  if (message) {
    message.textContent = text;
    message.hidden = text === '';
  }
  if (text === '') field.removeAttribute('aria-invalid');
  else field.setAttribute('aria-invalid', 'true');
  return text === '';
}

/** Nobody is told of a mistake before they have finished typing, and everybody at once when it is mended. */
function watch(field) {
  let isLeft = field.getAttribute('aria-invalid') === 'true';
  field.addEventListener('input', () => {
    if (isLeft) check(field);
  });
  field.addEventListener('blur', () => {
    if (field.value === '' || !isChanged(field)) return;
    isLeft = true;
    check(field);
  });
}

function count(field) {
  const counter = document.createElement('span');
  counter.className = 'count';
  counter.setAttribute('aria-hidden', 'true');
  field.labels[0].append(counter);
  const number = new Intl.NumberFormat('en-US');
  const show = () => (counter.textContent = `${number.format(Array.from(field.value.trim()).length)} / ${number.format(field.dataset.most)}`);
  field.addEventListener('input', show);
  show();
}

for (const form of document.querySelectorAll('[data-form]')) {
  const fields = fieldsOf(form);
  for (const field of fields) watch(field);
  for (const field of form.querySelectorAll('[data-count]')) count(field);
  form.addEventListener('submit', (event) => {
    const wrong = fields.filter((field) => !check(field));
    if (wrong.length > 0 || form.dataset.sent !== undefined) event.preventDefault();
    if (wrong.length > 0) wrong[0].focus();
    else sent(form);
  });
}

/** Once is enough, for as long as an answer should take; then it can be sent again, as after the browser was told to stop. */
function sent(form) {
  const buttons = form.querySelectorAll('button:not([type="button"])');
  form.dataset.sent = '';
  for (const button of buttons) button.setAttribute('aria-disabled', 'true');
  setTimeout(() => {
    delete form.dataset.sent;
    for (const button of buttons) button.removeAttribute('aria-disabled');
  }, 5000);
}

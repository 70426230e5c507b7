import { randomUUID } from 'node:crypto';
import { DomainError, SCOPES, type ApiKey } from '../../../application/index.js';
import { isAlive, KEY_NAME } from '../../../domain/api-key.js';
import { seeOther } from '../answers.js';
import { sentence } from '../errors.js';
import { nameOf, textOf, type Form } from '../form.js';
import { formOfMembers, forMembers } from '../guards.js';
import { messagesIn, type Messages, type Wordings } from '../messages.js';
import { noticeIn, show } from '../page.js';
import { idOf, type Resource } from '../routes.js';
import { SentForms } from '../sent-forms.js';
import { DAY, day, fromNow } from '../times.js';
import type { Context, Member, Panel } from '../visit.js';
import { showNewKey } from './new-key.js';

const NOTICES = {
  welcome: 'You are signed in. From now on, sign in with the name and the password that you have just chosen.',
  revoked: 'The key is revoked.',
};

const SCOPES_REQUIRED = 'Choose at least one scope.';

const WORDINGS: Wordings = {
  name: { label: 'Name', instead: { 'too-short': 'Give the key a name by which you will know it.' } },
  scopes: { label: 'Scopes', instead: { 'unknown-value': SCOPES_REQUIRED } },
  expires: { label: 'Expires' },
};

/** In days. */
const LIFETIMES = ['7', '30', '90', '365'];
const USUAL_LIFETIME = '90';
const EXPIRES = [...LIFETIMES.map((days) => ({ value: days, text: `${days} days` })), { value: 'none', text: 'None' }];

/** For a key whose page is loaded again: its text is nowhere any more. */
export const SENT_BEFORE = 'This form was sent before, and its key was shown then. If you have not kept it, revoke that key and make another.';

/** Ended keys are kept for good; so many of them are worth a look. */
const MOST_ENDED = 20;

interface KeyForm {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expires: string;
}

const EMPTY: KeyForm = { name: '', scopes: SCOPES, expires: USUAL_LIFETIME };

const SCOPE_HINTS = {
  'automations:read': 'List and read what is on sale, and the categories.',
  'automations:write': 'Put automations on sale in your name.',
};

export function keyPages(panel: Panel): Readonly<Record<string, Resource>> {
  const sentForms = new SentForms();
  return {
    '/keys': {
      GET: forMembers(panel, (ctx, member) => showKeys(ctx, panel, member, { form: EMPTY, notice: noticeIn(ctx, NOTICES) })),
      POST: formOfMembers(panel, (ctx, member, form) => create(ctx, panel, member, form, sentForms)),
    },
    '/keys/:id/revoke': {
      GET: forMembers(panel, async (ctx, member) => {
        const key = viewOf(await ownLiveKey(ctx, panel, member), panel.now());
        show(ctx, panel, 'revoke', { title: 'Revoke this key?', section: 'keys', member, key });
      }),
      POST: formOfMembers(panel, async (ctx, member) => {
        await panel.keys.revoke(idOf(ctx), member.caller);
        seeOther(ctx, `${panel.at}/keys?notice=revoked`);
      }),
    },
  };
}

/** @throws DomainError when there is no such key, as for another developer's, or when it has ended. */
export async function ownLiveKey(ctx: Context, { keys, now }: Panel, { caller }: Member): Promise<ApiKey> {
  const key = (await keys.listOwn(caller)).find(({ id }) => id === idOf(ctx));
  if (key === undefined) throw new DomainError('not-found', 'no-such-key', 'there is no key with this id');
  if (!isAlive(key, now())) throw new DomainError('conflict', 'key-has-ended', 'this key is revoked or expired');
  return key;
}

async function create(ctx: Context, panel: Panel, member: Member, sent: Form, sentForms: SentForms): Promise<void> {
  const form: KeyForm = { name: textOf(sent, 'name'), scopes: sent.getAll('scopes'), expires: textOf(sent, 'expires') };
  try {
    const { name, scopes } = form;
    const request = { developer: member.account.id, name, scopes, lifetime: lifetimeOf(form.expires) };
    const issued = await sentForms.once(nameOf(sent), () => panel.keys.issue(request, member.caller));
    if (issued === undefined) await showKeys(ctx, panel, member, { form, messages: { form: SENT_BEFORE } }, 409);
    else showNewKey(ctx, panel, member, issued);
  } catch (error) {
    const isFull = error instanceof DomainError && error.code === 'too-many-keys';
    const messages = isFull ? { form: sentence(error.message) } : messagesIn(error, WORDINGS);
    await showKeys(ctx, panel, member, { form, messages }, isFull ? 409 : 422);
  }
}

/** In milliseconds. What is none of the choices is out of range, and the core says so. */
function lifetimeOf(expires: string): number | undefined {
  if (expires === 'none') return undefined;
  return LIFETIMES.includes(expires) ? Number(expires) * DAY : Number.NaN;
}

interface Filled {
  readonly form: KeyForm;
  readonly messages?: Messages;
  readonly notice?: string | undefined;
}

async function showKeys(ctx: Context, panel: Panel, member: Member, filled: Filled, status?: number): Promise<void> {
  const now = panel.now();
  const all = (await panel.keys.listOwn(member.caller)).toReversed();
  const keys = all.filter((key) => isAlive(key, now)).map((key) => viewOf(key, now));
  const latestEnded = all.filter((key) => !isAlive(key, now)).sort((one, other) => endOf(other) - endOf(one));
  const ended = latestEnded.slice(0, MOST_ENDED).map((key) => viewOf(key, now));
  const choices = { scopes: SCOPES.map((name) => ({ name, hint: SCOPE_HINTS[name] })), scopesRequired: SCOPES_REQUIRED, expires: EXPIRES, nameRule: KEY_NAME };
  show(ctx, panel, 'keys', { title: 'API keys', section: 'keys', member, keys, ended, hasMoreEnded: latestEnded.length > MOST_ENDED, choices, once: randomUUID(), ...filled }, status);
}

/** Of a key that has ended, when it did. */
function endOf({ revokedAt, expiresAt }: ApiKey): number {
  return Math.min(...[revokedAt, expiresAt].map((time) => time?.getTime() ?? Infinity));
}

export function viewOf(key: ApiKey, now: Date) {
  const { id, name, prefix, scopes, createdAt, expiresAt, lastUsedAt, revokedAt } = key;
  return {
    id,
    name,
    prefix,
    scopes,
    created: day(createdAt),
    expires: expiresAt && day(expiresAt),
    expiresSoon: expiresAt && expiresAt.getTime() - now.getTime() < 7 * DAY ? fromNow(expiresAt, now) : undefined,
    lastUsed: lastUsedAt && fromNow(lastUsedAt, now),
    revoked: revokedAt && day(revokedAt),
  };
}

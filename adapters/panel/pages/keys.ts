import { randomUUID } from 'node:crypto';
import { DomainError, SCOPES, type ApiKey } from '../../../application/index.js';
import { isActive, KEY_NAME } from '../../../domain/api-key.js';
import { sentence } from '../../http/middleware/problem-documents.js';
import { formIdOf, SubmittedForms, textOf, type Form } from '../form.js';
import { authenticatedForm, authenticatedPage } from '../guards.js';
import { messagesIn, type Messages, type Wordings } from '../messages.js';
import { noticeIn, seeOther, show } from '../page.js';
import { idOf, type Resource } from '../routes.js';
import { DAY_MS, day, fromNow } from '../../http/views/times.js';
import { TEXTS } from '../texts.js';
import type { Context, Panel, SignedInDeveloper } from '../visit.js';
import { showNewKey } from './new-key.js';

const T = TEXTS.keys;

const NOTICES = { revoked: T.revoked, renamed: T.renamed };

/** How the mistakes in the name of a key are told. */
export const NAME_WORDINGS: Wordings = { name: { label: T.name, instead: { 'too-short': T.nameRequired } } };

const WORDINGS: Wordings = {
  ...NAME_WORDINGS,
  scopes: { label: T.scopes, instead: { 'unknown-value': T.scopesRequired } },
  expires: { label: T.expires },
};

const LIFETIMES_DAYS = ['7', '30', '90', '365'];
const DEFAULT_LIFETIME = '90';
const EXPIRES = [
  ...LIFETIMES_DAYS.map((days) => ({ value: days, text: T.days(days) })),
  { value: 'none', text: T.noExpiry },
];

/** Ended keys are kept forever; only these are shown. */
const MAX_ENDED_KEYS = 20;

interface KeyForm {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expires: string;
}

const EMPTY: KeyForm = { name: '', scopes: SCOPES, expires: DEFAULT_LIFETIME };

const CHOICES = {
  scopes: SCOPES.map((name) => ({ name, hint: T.scopeHints[name] })),
  expires: EXPIRES,
  nameRule: KEY_NAME,
};

export function keyPages(panel: Panel): Readonly<Record<string, Resource>> {
  const submitted = new SubmittedForms();
  return {
    '/keys': {
      GET: authenticatedPage(panel, (ctx, signedIn) =>
        showKeys(ctx, panel, signedIn, { form: EMPTY, notice: noticeIn(ctx, NOTICES) }),
      ),
      POST: authenticatedForm(
        panel,
        (ctx, signedIn, form) => create(ctx, panel, signedIn, form, submitted),
        (ctx, signedIn, form, messages) => showKeys(ctx, panel, signedIn, { form: typedIn(form), messages }),
      ),
    },
    '/keys/:id/revoke': {
      GET: authenticatedPage(panel, async (ctx, signedIn) => {
        const key = viewOf(await ownLiveKey(ctx, panel, signedIn), panel.now());
        const page = { title: TEXTS.revoke.title, current: 'keys', signedIn } as const;
        show(ctx, panel, 'revoke', { ...page, key, lead: TEXTS.revoke.lead, back: `${panel.at}/keys` });
      }),
      POST: authenticatedForm(panel, async (ctx, signedIn) => {
        await panel.keys.revoke(signedIn.caller, idOf(ctx));
        seeOther(ctx, `${panel.at}/keys?notice=revoked`);
      }),
    },
  };
}

/** @throws DomainError `not-found`, also for a key of another developer, or `conflict` if the key has ended */
export async function ownLiveKey(ctx: Context, { keys, now }: Panel, { caller }: SignedInDeveloper): Promise<ApiKey> {
  return liveKeyIn(await keys.listOwn(caller), idOf(ctx), now());
}

async function create(
  ctx: Context,
  panel: Panel,
  signedIn: SignedInDeveloper,
  sent: Form,
  submitted: SubmittedForms,
): Promise<void> {
  const form = typedIn(sent);
  try {
    const { name, scopes } = form;
    const request = { developer: signedIn.account.id, name, scopes, lifetime: lifetimeOf(form.expires) };
    const issued = await submitted.once(formIdOf(sent), () => panel.keys.issue(signedIn.caller, request));
    if (issued === undefined) await showKeys(ctx, panel, signedIn, { form, messages: { form: T.alreadySent } }, 409);
    else showNewKey(ctx, panel, signedIn, issued);
  } catch (error) {
    const isFull = error instanceof DomainError && error.code === 'too-many-keys';
    const messages = isFull ? { form: sentence(error.message) } : messagesIn(error, WORDINGS);
    await showKeys(ctx, panel, signedIn, { form, messages }, isFull ? 409 : 422);
  }
}

function typedIn(form: Form): KeyForm {
  return { name: textOf(form, 'name'), scopes: form.getAll('scopes'), expires: textOf(form, 'expires') };
}

/** Returns milliseconds; NaN for anything that is not a choice, which the core reports as out of range. */
function lifetimeOf(expires: string): number | undefined {
  if (expires === 'none') return undefined;
  return LIFETIMES_DAYS.includes(expires) ? Number(expires) * DAY_MS : Number.NaN;
}

interface Filled {
  readonly form: KeyForm;
  readonly messages?: Messages;
  readonly notice?: string | undefined;
}

async function showKeys(
  ctx: Context,
  panel: Panel,
  signedIn: SignedInDeveloper,
  filled: Filled,
  status?: number,
): Promise<void> {
  const lists = listsOf(await panel.keys.listOwn(signedIn.caller), panel.now());
  const scopes = CHOICES.scopes.filter(({ name }) => signedIn.caller.scopes.includes(name));
  const form = { choices: { ...CHOICES, scopes }, formId: randomUUID(), ...filled };
  show(ctx, panel, 'keys', { title: T.title, current: 'keys', signedIn, ...lists, ...form }, status);
}

/** Returns the keys that work, and those that ended last, both as pages show them. */
export function listsOf(issued: readonly ApiKey[], now: Date) {
  const all = issued.toReversed();
  const latestEnded = all.filter((key) => !isActive(key, now)).sort((one, other) => endOf(other) - endOf(one));
  return {
    keys: all.filter((key) => isActive(key, now)).map((key) => viewOf(key, now)),
    ended: latestEnded.slice(0, MAX_ENDED_KEYS).map((key) => viewOf(key, now)),
    endedCount: latestEnded.length,
  };
}

/** @throws DomainError `not-found` when the list has no such key, or `conflict` if the key has ended */
export function liveKeyIn(keys: readonly ApiKey[], id: string, now: Date): ApiKey {
  const key = keys.find((one) => one.id === id);
  if (key === undefined) throw new DomainError('not-found', 'no-such-key', 'there is no key with this id');
  if (!isActive(key, now)) throw new DomainError('conflict', 'key-has-ended', 'this key is revoked or expired');
  return key;
}

/** Returns when a key ended. */
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
    expiresSoon: expiresAt && expiresAt.getTime() - now.getTime() < 7 * DAY_MS ? fromNow(expiresAt, now) : undefined,
    lastUsed: lastUsedAt && fromNow(lastUsedAt, now),
    revoked: revokedAt && day(revokedAt),
  };
}

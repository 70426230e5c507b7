import { randomUUID } from 'node:crypto';
import { DomainError, SCOPES, type Actor, type ApiKey } from '../../../application/index.js';
import { isActive, KEY_NAME } from '../../../domain/api-key.js';
import { sentence } from '../../http/middleware/problem-documents.js';
import { formIdOf, SubmittedForms, textOf, type Form } from '../form.js';
import { authenticatedForm, authenticatedPage } from '../guards.js';
import { messagesIn, type Messages, type Wordings } from '../messages.js';
import { noticeIn, queryOf, seeOther, show } from '../page.js';
import { pagerLinks, positionIn } from '../pager.js';
import { idOf, type Resource } from '../routes.js';
import { countText } from '../../http/views/locales.js';
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

/** Ended keys on one page. */
const PAGE_SIZE = 20;

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
        await panel.keys.revoke(signedIn.person, idOf(ctx));
        seeOther(ctx, `${panel.at}/keys?notice=revoked`);
      }),
    },
  };
}

/** @throws DomainError `not-found`, also for a key of another developer, or `conflict` if the key has ended */
export async function ownLiveKey(ctx: Context, panel: Panel, { person }: SignedInDeveloper): Promise<ApiKey> {
  return liveKey(panel, person, idOf(ctx));
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
    const issued = await submitted.once(formIdOf(sent), () => panel.keys.issue(signedIn.person, request));
    if (issued === undefined) await showKeys(ctx, panel, signedIn, { form, messages: { form: T.alreadySent } }, 409);
    else showNewKey(ctx, panel, signedIn, issued);
  } catch (error) {
    const { messages, status } = refusalOf(error, WORDINGS);
    await showKeys(ctx, panel, signedIn, { form, messages }, status);
  }
}

function typedIn(form: Form): KeyForm {
  return { name: textOf(form, 'name'), scopes: form.getAll('scopes'), expires: textOf(form, 'expires') };
}

interface Refusal {
  readonly messages: Messages;
  readonly status: number;
}

/** Returns what a form tells when no key was made. @throws any other error */
export function refusalOf(error: unknown, wordings: Wordings): Refusal {
  if (error instanceof DomainError && error.code === 'too-many-keys')
    return { messages: { form: sentence(error.message) }, status: 409 };
  return { messages: messagesIn(error, wordings), status: 422 };
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
  const lists = await listsOf(ctx, panel, { by: signedIn.person, address: `${panel.at}/keys` });
  const scopes = CHOICES.scopes.filter(({ name }) => signedIn.caller.scopes.includes(name));
  const form = { choices: { ...CHOICES, scopes }, formId: randomUUID(), ...filled };
  show(ctx, panel, 'keys', { title: T.title, current: 'keys', signedIn, ...lists, ...form }, status);
}

interface KeyLists {
  readonly by: Actor;
  /** The owner, for the operator. */
  readonly developer?: string;
  /** The address of the page that shows them. */
  readonly address: string;
}

/** Returns the keys that work, and a page of those that ended, both as pages show them. */
export async function listsOf(ctx: Context, { keys, now }: Panel, { by, developer, address }: KeyLists) {
  const position = positionIn(queryOf(ctx));
  const [active, ended] = await Promise.all([
    keys.listActive(by, developer),
    keys.listEnded(by, { developer, limit: PAGE_SIZE, before: position.before }),
  ]);
  return {
    keys: active.map((key) => viewOf(key, now())),
    ended: ended.items.map((key) => viewOf(key, now())),
    endedCount: countText(ended.total),
    pages: pagerLinks(address, position, ended),
  };
}

/** @throws DomainError `not-found`, or `conflict` if the key has ended */
export async function liveKey({ keys, now }: Panel, by: Actor, id: string): Promise<ApiKey> {
  const key = await keys.read(by, id);
  if (!isActive(key, now())) throw new DomainError('conflict', 'key-has-ended', 'this key is revoked or expired');
  return key;
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

import { randomUUID } from 'node:crypto';
import { DomainError, SCOPES, type ApiKey, type IssuedKey } from '../../../application/index.js';
import { isActive, KEY_NAME } from '../../../domain/api-key.js';
import { countText } from '../../web/views/locales.js';
import { DAY_MS, day, fromNow, HOUR_MS } from '../../web/views/times.js';
import type { Wordings } from '../messages.js';
import { cursorPages, positionIn } from '../../web/pager.js';
import type { ShownForm, RequestOf } from '../request.js';
import { keyScopeChoices } from '../scopes.js';
import { makeSecret } from '../secrets.js';
import { TEXTS } from '../texts/texts.js';

const T = TEXTS.keys;
const NOTICES = { revoked: T.revoked, renamed: T.renamed };

const WORDINGS: Wordings = {
  name: { label: T.name, instead: { 'too-short': TEXTS.required(T.name) } },
  scopes: { label: T.scopes, instead: { 'unknown-value': T.scopesRequired } },
  expires: { label: T.expires },
  overlap: { label: TEXTS.rotate.overlapLabel },
};

const LIFETIMES_DAYS = ['7', '30', '90', '365'];
const DEFAULT_LIFETIME = '90';
const EXPIRES = [
  ...LIFETIMES_DAYS.map((days) => ({ value: days, text: T.days(days) })),
  { value: 'none', text: T.noExpiry },
];

const OVERLAPS_HOURS = Object.entries(TEXTS.rotate.overlaps).map(([value, text]) => ({ value, text }));
const DEFAULT_OVERLAP = '24';

/** Ended keys on one page. */
const PAGE_SIZE = 20;

type MemberRequest = RequestOf<'member'>;

async function showKeys(request: MemberRequest): Promise<void> {
  const { panel, form, isForm } = request;
  const typed = {
    name: request.text('name'),
    scopes: isForm ? form.getAll('scopes') : SCOPES,
    expires: request.text('expires', DEFAULT_LIFETIME),
  };
  const choices = { scopes: keyScopeChoices(request), expires: EXPIRES, nameRule: KEY_NAME };
  const page = { title: T.title, notice: isForm ? undefined : request.notice(NOTICES), formId: randomUUID() };
  request.show('keys', { ...page, ...(await keyLists(request, `${panel.at}/keys`)), form: typed, choices });
}

export const createKey: ShownForm<'member'> = {
  show: showKeys,
  wordings: () => WORDINGS,
  submit: async (request) => {
    const { by, account } = request.signedIn;
    const lifetime = lifetimeOf(request.text('expires'));
    const asked = { name: request.text('name'), scopes: request.form.getAll('scopes'), lifetime };
    await showNewKey(request, () => request.panel.keys.issue(by, { developer: account.id, ...asked }));
  },
};

export const renameKey: ShownForm<'member'> = {
  show: async (request) => {
    const key = await liveKey(request);
    const form = { name: request.text('name', key.name), most: KEY_NAME.maxLength };
    request.show('rename', { title: TEXTS.rename.title, key: viewOf(key, request.panel.now()), ...form });
  },
  wordings: () => WORDINGS,
  submit: async (request) => {
    await request.panel.keys.rename(request.signedIn.by, request.param(), request.text('name'));
    request.goTo('/keys?notice=renamed');
  },
};

export const rotateKey: ShownForm<'member'> = {
  show: async (request) => {
    const key = viewOf(await liveKey(request), request.panel.now());
    const form = { overlaps: OVERLAPS_HOURS, overlap: request.text('overlap', DEFAULT_OVERLAP), formId: randomUUID() };
    request.show('rotate', { title: TEXTS.rotate.title, key, ...form });
  },
  wordings: () => WORDINGS,
  submit: async (request) => {
    const overlap = request.text('overlap');
    const hours = OVERLAPS_HOURS.some(({ value }) => value === overlap) ? Number(overlap) : Number.NaN;
    const { by } = request.signedIn;
    await showNewKey(request, () => request.panel.keys.rotate(by, request.param(), hours * HOUR_MS));
  },
};

export const revokeKey: ShownForm<'member'> = {
  show: async (request) => {
    const key = viewOf(await liveKey(request), request.panel.now());
    const { title, lead } = TEXTS.revoke;
    request.show('revoke', { title, key, lead, back: `${request.panel.at}/keys` });
  },
  submit: async (request) => {
    await request.panel.keys.revoke(request.signedIn.by, request.param());
    request.goTo('/keys?notice=revoked');
  },
};

/** Returns the keys that work, and a page of those that ended: one's own, or for an operator those of a developer. */
export async function keyLists(request: RequestOf<'member' | 'operator'>, address: string, developer?: string) {
  const { keys, now } = request.panel;
  const { by } = request.signedIn;
  const position = positionIn(request.query);
  const [active, ended] = await Promise.all([
    keys.listActive(by, developer),
    keys.listEnded(by, { developer, limit: PAGE_SIZE, before: position.before }),
  ]);
  return {
    keys: active.map((key) => viewOf(key, now())),
    ended: ended.items.map((key) => viewOf(key, now())),
    endedCount: countText(ended.total),
    pages: cursorPages(address, position, ended),
  };
}

/**
 * Returns the key that the address names.
 * @throws DomainError `not-found`, also for a key of another developer, or `conflict` if the key has ended
 */
export async function liveKey(request: RequestOf<'member' | 'operator'>, name = 'id'): Promise<ApiKey> {
  const { keys, now } = request.panel;
  const key = await keys.read(request.signedIn.by, request.param(name));
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

/** Shows a new key, as the response to its form. No other page shows a key. */
async function showNewKey(request: MemberRequest, make: () => Promise<IssuedKey>): Promise<void> {
  const { text, key } = await makeSecret(request, make, { alreadySent: T.alreadySent, tooMany: 'too-many-keys' });
  const curl = key.scopes.includes('automations:read') ? curlLine(text, request.publicAddress()) : undefined;
  request.show('new-key', { title: TEXTS.newKey.title, text, name: key.name, curl });
}

function curlLine(key: string, address: string | undefined): string | undefined {
  return address && `curl -H "Authorization: Bearer ${key}" ${address}/api/categories`;
}

/** Returns milliseconds; NaN for anything that is not a choice, which the core reports as out of range. */
function lifetimeOf(expires: string): number | undefined {
  if (expires === 'none') return undefined;
  return LIFETIMES_DAYS.includes(expires) ? Number(expires) * DAY_MS : Number.NaN;
}

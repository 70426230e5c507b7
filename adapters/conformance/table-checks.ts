import { randomUUID } from 'node:crypto';
import type { Api } from './api.js';
import { Broken, Skipped, type Check, type Group } from './check.js';
import { rowFaults } from './row-faults.js';
import { bodyOf, draft, filled, headersOf, impliedNames, type Name, type Names, type Row } from './rows/row.js';
import { TABLE } from './rows/table.js';
import { categories, list } from './shapes.js';

const BASE = '/api';
/** Such a path may be right under another base: `/v1` and then `/api/automations`. */
const OTHER_BASE = /^\/api\/(?:api|v1)(?:\/|$)/;

/** The rows of the wire contract as checks. A server may be reached by one of its bases alone. */
export const table: readonly Group[] = Object.entries(TABLE).map(([theme, rows]) => ({
  name: `${theme.charAt(0).toUpperCase()}${theme.slice(1)}`,
  checks: rows.filter(isUnderTheBase).map(checkOf),
}));

function isUnderTheBase({ target = '' }: Row): boolean {
  return target.startsWith(`${BASE}/`) && !OTHER_BASE.test(target);
}

/** What a check says that lacks what a row names. */
const NEEDS: Readonly<Record<Name, string>> = {
  full: 'a write key',
  reader: 'a key that may not create',
  writer: 'a key that may only create',
  revoked: 'a revoked key',
  expired: 'an expired key',
  unknown: 'a key of the usual form',
  typo: 'a key of the usual form',
  category: 'a category',
  id: 'an automation on sale',
  upper: 'an automation on sale',
  gone: 'a withdrawn automation',
  etag: 'an automation on sale',
  bare: 'an automation on sale',
  half: 'an automation on sale',
  used: 'a write key',
};

function checkOf(row: Row): Check {
  return {
    title: row.title,
    run: async (api) => {
      const { names, hasSearch } = await factsOf(api);
      const own = { ...names, full: row.method === 'POST' ? api.writeKey : api.key };
      const missing = missingIn(row, own);
      if (missing !== undefined) throw new Skipped(`it needs ${missing}`);
      if (!hasSearch && needsSearch(row)) throw new Skipped('this server finds nothing by words');
      await ask(api, row, own);
    },
  };
}

/** @throws Broken if the answer is another than that of the contract. */
async function ask(api: Api, row: Row, names: Names): Promise<void> {
  const { method = 'GET', target = '', body } = row;
  const reply = await api.ask(filled(target, names).slice(BASE.length), {
    method,
    authorization: null,
    headers: Object.fromEntries(headersOf(row, names)),
    ...(body !== undefined && { body: bodyOf(row, names) }),
  });
  const faults = rowFaults(row, reply, names);
  if (faults.length > 0) throw new Broken(`${reply.request}: ${faults.join('; ')}`);
}

/** Returns what a row needs that is not known. Without a key to write, nothing is sent that could create. */
function missingIn(row: Row, names: Names): string | undefined {
  if (row.method === 'POST' && names.full === undefined) return NEEDS.full;
  const { target = '', headers = {}, body = '', answer = {} } = row;
  const texts = [target, ...Object.values(headers), ...Object.values(answer), typeof body === 'string' ? body : ''];
  const named = (Object.keys(NEEDS) as Name[]).find(
    (name) => names[name] === undefined && texts.some((text) => text?.includes(`{${name}}`)),
  );
  return named && NEEDS[named];
}

function needsSearch({ target = '' }: Row): boolean {
  return /[?&](?:q\b|sort=best)/.test(target);
}

interface Facts {
  readonly names: Names;
  readonly hasSearch: boolean;
}

const learned = new WeakMap<Api, Promise<Facts>>();

/** Returns what is known of a server; it is asked once. */
function factsOf(api: Api): Promise<Facts> {
  const facts = learned.get(api) ?? learn(api);
  learned.set(api, facts);
  return facts;
}

async function learn(api: Api): Promise<Facts> {
  const category = (await categories(api).catch(undefinedIfBroken))?.[0]?.id;
  const used = api.mayWrite ? await useKey(api, { category }) : undefined;
  const id = (await list(api, '?limit=1').catch(undefinedIfBroken))?.data[0]?.id;
  const etag = id && ((await api.ask(`/automations/${id}`)).headers.get('ETag') ?? undefined);
  const names: Names = {
    ...impliedNames({ full: api.key, id, etag }),
    category,
    used,
    reader: (await mayCreate(api)) ? undefined : api.key,
  };
  return { names, hasSearch: (await api.ask('/automations?q=a')).status !== 400 };
}

/** Other checks report it; a row that needs what is missing is skipped. */
function undefinedIfBroken(error: unknown): undefined {
  if (!(error instanceof Broken)) throw error;
}

/** Creates an automation, and returns the idempotency key that is used by it. */
async function useKey(api: Api, names: Names): Promise<string> {
  const used = randomUUID();
  await api.send(filled(draft(), names), { 'Content-Type': 'application/json', 'Idempotency-Key': used });
  return used;
}

/** Returns whether the key for reading may create, too; false where nothing is created. */
async function mayCreate(api: Api): Promise<boolean> {
  if (!api.mayWrite) return false;
  const headers = { 'Content-Type': 'application/json' };
  return (await api.ask('/automations', { method: 'POST', headers, body: '{' })).status !== 403;
}

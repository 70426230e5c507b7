import { check, must, problemOf, same, Skipped, type Check, type Group } from './check.js';
import type { Api, Reply } from './api.js';
import { list } from './shapes.js';

const RESOURCES: Readonly<Record<string, string>> = {
  '/automations': 'GET, HEAD, OPTIONS, POST',
  '/automations/x': 'GET, HEAD, OPTIONS',
  '/categories': 'GET, HEAD, OPTIONS',
};

function allowOf({ headers }: Reply): string {
  return (headers.get('Allow') ?? '')
    .split(/\s*,\s*/)
    .sort()
    .join(', ');
}

async function reading(api: Api): Promise<readonly string[]> {
  const [item] = (await list(api, '?limit=1')).data;
  return ['/automations?limit=5', '/categories', ...(item ? [`/automations/${item.id}`] : [])];
}

const methods: readonly Check[] = [
  check('a method that a path does not take is 405 with Allow', async (api) => {
    for (const [path, allow] of Object.entries(RESOURCES))
      for (const method of ['PUT', 'PATCH', 'DELETE', ...(allow.includes('POST') ? [] : ['POST'])]) {
        const reply = await api.ask(path, { method });
        problemOf(reply, 405, 'method-not-allowed');
        same(allowOf(reply), allow, reply, 'Allow');
      }
  }),
  check('OPTIONS is 204 with Allow', async (api) => {
    for (const [path, allow] of Object.entries(RESOURCES)) {
      const reply = await api.ask(path, { method: 'OPTIONS' });
      same([reply.status, allowOf(reply), reply.text], [204, allow, ''], reply, 'status, Allow and body');
    }
  }),
  check('HEAD returns the same as GET, without a body', async (api) => {
    for (const path of [...(await reading(api)), '/nothing-here']) {
      const [get, head] = [await api.ask(path), await api.ask(path, { method: 'HEAD' })];
      same([head.status, head.text], [get.status, ''], head, 'status and body');
      for (const name of ['ETag', 'Content-Type', 'Link', 'Cache-Control'])
        same(head.headers.get(name), get.headers.get(name), head, name);
    }
  }),
  check('an Accept that admits no JSON is 406', async (api) => {
    for (const accept of ['text/html', 'application/json;q=0', 'image/*'])
      problemOf(await api.ask('/categories', { headers: { Accept: accept } }), 406, 'not-acceptable');
    for (const accept of ['*/*', 'application/*', 'text/html, application/json;q=0.1'])
      same(
        (await api.ask('/categories', { headers: { Accept: accept } })).status,
        200,
        { request: `Accept: ${accept}` },
        'the status',
      );
  }),
];

const caching: readonly Check[] = [
  check('every read has a strong ETag, the same for the same body and another for another', async (api) => {
    const seen = new Map<string, string>();
    for (const path of [...(await reading(api)), '/automations?limit=1&page=999999999', '/categories']) {
      const reply = await api.ask(path);
      const etag = reply.headers.get('ETag') ?? '';
      must(/^"[^"]+"$/.test(etag), reply, `ETag is ${etag || 'missing'}`);
      same(seen.get(etag) ?? reply.text, reply.text, reply, 'the body under this ETag');
      seen.set(etag, reply.text);
    }
  }),
  check('If-None-Match with it is 304, also with Cache-Control: no-cache, in a list and weak', async (api) => {
    for (const path of await reading(api)) {
      const etag = (await api.ask(path)).headers.get('ETag') ?? '';
      for (const field of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
        const reply = await api.ask(path, { headers: { 'If-None-Match': field, 'Cache-Control': 'no-cache' } });
        same([reply.status, reply.text, reply.headers.get('ETag')], [304, '', etag], reply, 'status, body and ETag');
      }
      same(
        (await api.ask(path, { headers: { 'If-None-Match': '"other"' } })).status,
        200,
        { request: path },
        'the status with another tag',
      );
    }
  }),
  check('If-Match that does not hold is 412', async (api) => {
    problemOf(await api.ask('/categories', { headers: { 'If-Match': '"other"' } }), 412, 'precondition-failed');
  }),
  check('reads are private and revalidated, refusals are not stored', async (api) => {
    for (const path of await reading(api)) {
      const reply = await api.ask(path);
      same(
        [reply.headers.get('Cache-Control'), reply.headers.get('Vary')],
        ['private, no-cache', 'Authorization'],
        reply,
        'Cache-Control and Vary',
      );
    }
    const refusal = await api.ask('/nothing-here');
    same(refusal.headers.get('Cache-Control'), 'no-store', refusal, 'Cache-Control');
  }),
];

/** Values of X-Request-Id, and whether they are legal. */
const REQUEST_IDS: readonly (readonly [string, boolean])[] = [
  ['conformance-1', true],
  ['A'.repeat(64), true],
  ['a'.repeat(65), false],
  ['a b', false],
  ['a_b', false],
];

const headers: readonly Check[] = [
  check('every response forbids sniffing, allows no other origin and names no software', async (api) => {
    for (const path of [...(await reading(api)), '/nothing-here', '/automations?page=0']) {
      const reply = await api.ask(path, { headers: { Origin: 'https://elsewhere.example' } });
      same(reply.headers.get('X-Content-Type-Options'), 'nosniff', reply, 'X-Content-Type-Options');
      for (const name of reply.headers.keys())
        must(!/^(x-powered-by|access-control-.*)$/.test(name), reply, `there is a header ${name}`);
    }
  }),
  check('a legal X-Request-Id comes back, another is replaced', async (api) => {
    for (const [sent, kept] of REQUEST_IDS) {
      const reply = await api.ask('/categories', { headers: { 'X-Request-Id': sent } });
      const found = reply.headers.get('X-Request-Id') ?? '';
      must(/^[A-Za-z0-9-]{1,64}$/.test(found), reply, `X-Request-Id is ${found || 'missing'}`);
      must((found === sent) === kept, reply, kept ? 'X-Request-Id is another' : 'an illegal X-Request-Id came back');
    }
  }),
  check('a target over 8 KiB is 414, headers over 16 KiB are 431', async (api) => {
    problemOf(await api.ask(`/automations?category=${'a'.repeat(9_000)}`), 414, 'uri-too-long');
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`X-Filler-${n}`, 'a'.repeat(900)]));
    problemOf(await api.ask('/categories', { headers: many }), 431, 'header-too-large');
  }),
  check('what is left of a quota is said in both ways, and they agree', async (api) => {
    const reply = await api.ask('/categories');
    const field = reply.headers.get('RateLimit');
    if (field === null) throw new Skipped('the server has no limits');
    const [, remaining, reset] = /^"[^"]+";r=(\d+);t=(\d+)$/.exec(field) ?? [];
    const [, quota] = /^"[^"]+";q=(\d+);w=\d+$/.exec(reply.headers.get('RateLimit-Policy') ?? '') ?? [];
    must(
      remaining !== undefined && reset !== undefined && quota !== undefined,
      reply,
      'RateLimit or RateLimit-Policy is malformed',
    );
    same(
      [reply.headers.get('X-RateLimit-Limit'), reply.headers.get('X-RateLimit-Remaining')],
      [quota, remaining],
      reply,
      'X-RateLimit-Limit and -Remaining',
    );
    const seconds = Number(reply.headers.get('X-RateLimit-Reset')) - Date.now() / 1000;
    must(
      Math.abs(seconds - Number(reset)) <= 120,
      reply,
      'X-RateLimit-Reset is not a time close to the end of the window',
    );
  }),
];

export const http: Group = { name: 'HTTP', checks: [...methods, ...caching, ...headers] };

import { check, must, same, Skipped, type Check, type Group } from './check.js';
import type { Api } from './api.js';
import { list } from './shapes.js';

async function reading(api: Api): Promise<readonly string[]> {
  const [item] = (await list(api, '?limit=1')).data;
  return ['/automations?limit=5', '/categories', ...(item ? [`/automations/${item.id}`] : [])];
}

const methods: readonly Check[] = [
  check('HEAD returns the same as GET, without a body', async (api) => {
    for (const path of [...(await reading(api)), '/nothing-here']) {
      const [get, head] = [await api.ask(path), await api.ask(path, { method: 'HEAD' })];
      same([head.status, head.body], [get.status, ''], head, 'status and body');
      for (const name of ['ETag', 'Content-Type', 'Link', 'Cache-Control'])
        same(head.headers.get(name), get.headers.get(name), head, name);
    }
  }),
];

const caching: readonly Check[] = [
  check('every read has a strong ETag, the same for the same body and another for another', async (api) => {
    const seen = new Map<string, string>();
    for (const path of [...(await reading(api)), '/automations?limit=1&page=999999999', '/categories']) {
      const reply = await api.ask(path);
      const etag = reply.headers.get('ETag') ?? '';
      must(/^"[^"]+"$/.test(etag), reply, `ETag is ${etag || 'missing'}`);
      same(seen.get(etag) ?? reply.body, reply.body, reply, 'the body under this ETag');
      seen.set(etag, reply.body);
    }
  }),
  check('If-None-Match with it is 304, also with Cache-Control: no-cache, in a list and weak', async (api) => {
    for (const path of await reading(api)) {
      const etag = (await api.ask(path)).headers.get('ETag') ?? '';
      for (const field of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
        const reply = await api.ask(path, { headers: { 'If-None-Match': field, 'Cache-Control': 'no-cache' } });
        same([reply.status, reply.body, reply.headers.get('ETag')], [304, '', etag], reply, 'status, body and ETag');
      }
      same(
        (await api.ask(path, { headers: { 'If-None-Match': '"other"' } })).status,
        200,
        { request: path },
        'the status with another tag',
      );
    }
  }),
];

const headers: readonly Check[] = [
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

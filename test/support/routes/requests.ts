import { randomUUID } from 'node:crypto';
import { OPERATOR } from '../../../application/index.js';
import { PASSWORD } from '../panel.js';
import { MAX_FILE_BYTES } from '../../../domain/file.js';
import {
  CATEGORIES,
  idOf,
  KEY_NAME,
  NAMES,
  publicName,
  REASON,
  REDIRECT_URIS,
  TEXTS,
  WEBSITE,
  workflowOf,
} from './contents.js';
import type { Stage } from './stage.js';
import { toolCall, type Fields, type WorstRequest } from './worst-request.js';

type Made = WorstRequest | Promise<WorstRequest>;
type Make = (stage: Stage, n: number) => Made;

const at =
  (path: string): Make =>
  () => ({ path });
/** Almost as long as an address may be. */
const LONG = 'a'.repeat(8_000);

/** Words that a fifth of the automations have, and the beginning of a word of each. */
const SEARCH = new URLSearchParams({ q: '1 2 3 4 5 6 7 w', price_min: '0', price_max: '9999' }).toString();
const CATEGORY = CATEGORIES[0]?.id ?? '';
const OPERATOR_AT = '/panel/operator';
const sellerAt = `${OPERATOR_AT}/developers/${NAMES.seller}`;

function draft(n: number): Fields {
  const { title = '', description = '' } = TEXTS[n % TEXTS.length] ?? {};
  return { title, description, price: '9.99', categoryId: CATEGORY };
}

/** A workflow of 1 MiB with as many steps as it may have, and as many addresses as fit. */
const WORKFLOW = workflowOf(9_000, MAX_FILE_BYTES);

function withFile(n: number): object {
  const { title, description } = draft(n);
  const file = { name: 'w.json', text: WORKFLOW };
  return { title, description, price: 0, category_id: CATEGORY, file };
}

const inLibrary =
  (path: string): Make =>
  async (stage) => {
    const { id } = await stage.gift({ name: 'w.json', bytes: Buffer.from(WORKFLOW) });
    return { path: `/n8n/${path}/${id}` };
  };

/** Returns the requests for the pages of one key, and for the form on each. */
function keyRoutes(action: string, fields: Fields): Readonly<Record<string, Make>> {
  const path = async (stage: Stage) => `/panel/keys/${await stage.newKey()}/${action}`;
  return {
    [`GET /panel/keys/:id/${action}`]: async (stage) => ({ path: await path(stage) }),
    [`POST /panel/keys/:id/${action}`]: async (stage) => ({ path: await path(stage), fields }),
  };
}

/** Returns the requests for a page of one app, and for the form on it. */
function appRoutes(action: string, fields: Fields = {}): Readonly<Record<string, Make>> {
  const path = async (stage: Stage) => `/panel/apps/${await stage.newApp()}${action}`;
  return {
    [`GET /panel/apps/:id${action}`]: async (stage) => ({ path: await path(stage) }),
    [`POST /panel/apps/:id${action}`]: async (stage) => ({ path: await path(stage), fields }),
  };
}

const APP: Fields = { name: KEY_NAME, redirectUris: REDIRECT_URIS.join('\n'), scopes: 'automations:read' };

/** Returns the requests for a list of automations in the panel, and for the pages of each. */
function automationRoutes(list: string): Readonly<Record<string, Make>> {
  const search = `${list}?${SEARCH}&status=withdrawn&page=1`;
  return {
    [`GET ${list}`]: () => ({ path: search }),
    [`GET ${list}/:id`]: (stage, n) => ({ path: `${list}/${stage.own(n).id}` }),
    [`GET ${list}/:id/withdraw`]: (stage, n) => ({ path: `${list}/${stage.own(n).id}/withdraw` }),
    [`POST ${list}/:id/withdraw`]: async (stage) => {
      return { path: `${list}/${(await stage.offer()).id}/withdraw`, fields: { reason: REASON } };
    },
    [`GET ${list}/:id/revise`]: (stage, n) => ({ path: `${list}/${stage.own(n).id}/revise` }),
    [`POST ${list}/:id/revise`]: async (stage, n) => {
      const { id, updatedAt } = await stage.offer();
      return { path: `${list}/${id}/revise`, fields: { ...draft(n), basedOn: updatedAt.toISOString() } };
    },
  };
}

/** Returns the requests of a form of the account page, which its address leads back to. */
function accountRoutes(action: string, make: Make): Readonly<Record<string, Make>> {
  const path = `/panel/account/${action}`;
  return { [`GET ${path}`]: at(path), [`POST ${path}`]: make };
}

async function ofMember(stage: Stage, path: string, fields: Fields): Promise<WorstRequest> {
  const { visitor } = await stage.newMember();
  return { path, fields, visitor };
}

const DOCUMENTS = [
  ...['/livez', '/readyz', '/metrics', '/', '/openapi.json', '/problems', '/docs', '/docs/docs.css', '/docs/docs.js'],
  ...['/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js', '/favicon.ico', '/robots.txt', '/llms.txt'],
  ...['/.well-known/api-catalog', '/.well-known/oauth-protected-resource', '/sitemap.xml'],
  ...['/.well-known/change-password', '/problems/oauth', '/docs/oauth2-redirect.html', '/docs/oauth2-redirect.js'],
];

/** Returns the longest file that a page loads. */
const asset =
  (page: string): Make =>
  async (stage) => {
    const { body } = await stage.visitors.seller.open(page);
    return { path: /"([^"]*\/assets\/[^"]*\/(?:pages|frame)\.css)"/.exec(body)?.[1] ?? '' };
  };

/** Returns the requests of a decision about reports. */
function reportRoutes(action: string, fields: Fields): Readonly<Record<string, Make>> {
  const path = async (stage: Stage) => `${OPERATOR_AT}/reports/${(await stage.reported()).id}/${action}`;
  return {
    [`GET ${OPERATOR_AT}/reports/:id/${action}`]: async (stage) => ({ path: await path(stage) }),
    [`POST ${OPERATOR_AT}/reports/:id/${action}`]: async (stage) => ({ path: await path(stage), fields }),
  };
}

/** The worst request that is legal, for each method and route of the service. */
export const WORST: Readonly<Record<string, Make>> = {
  'GET /automations': at(`/api/automations?${SEARCH}&sort=best&limit=100`),
  'POST /automations': (_, n) => ({ path: '/api/automations', json: JSON.stringify(withFile(n)) }),
  'GET /automations/:id': (stage, n) => ({ path: `/api/automations/${stage.own(n).id}` }),
  'GET /categories': at('/api/categories'),
  'POST /mcp': (_, n) => toolCall('create_automation', { ...withFile(n), idempotency_key: randomUUID() }),
  ...Object.fromEntries(DOCUMENTS.map((path) => [`GET ${path}`, at(path)])),
  'GET /problems/:slug': at('/problems/validation-error'),
  'GET /assets/:hash/:file': asset('/docs'),
  'GET /panel/assets/:hash/:file': asset('/panel'),
  'GET /catalogue/assets/:hash/:file': asset('/catalogue'),
  'GET /files/:id': async (stage) => ({ path: `/files/${(await stage.gift()).id}` }),
  'GET /n8n/health': at('/n8n/health'),
  'GET /n8n/templates/categories': at('/n8n/templates/categories'),
  'GET /n8n/templates/search': at('/n8n/templates/search?search=w&page=1&limit=20'),
  'GET /n8n/templates/collections': at('/n8n/templates/collections'),
  'GET /n8n/templates/workflows/:id': inLibrary('templates/workflows'),
  'GET /n8n/workflows/templates/:id': inLibrary('workflows/templates'),
  'GET /catalogue': at(`/catalogue?${SEARCH}&sort=best`),
  'GET /catalogue/feed.atom': at(`/catalogue/feed.atom?developer=${NAMES.seller}`),
  'GET /catalogue/developers/:developer': at(`/catalogue/developers/${NAMES.seller}?page=2`),
  'GET /catalogue/:id': (stage, n) => ({ path: `/catalogue/${stage.own(n).id}` }),
  'GET /catalogue/:id/report': (stage, n) => ({ path: `/catalogue/${stage.own(n).id}/report` }),
  'POST /catalogue/:id/report': (stage, n) => ({
    path: `/catalogue/${stage.own(n).id}/report`,
    fields: { kind: 'dangerous', text: '"'.repeat(1_000) },
  }),
  'GET /sitemap-:part.xml': at('/sitemap-1.xml'),
  'GET /panel': at('/panel'),
  'GET /panel/sign-in': at(`/panel/sign-in?next=/panel/${LONG}`),
  'POST /panel/sign-in': () => ({
    path: '/panel/sign-in',
    fields: { name: `${NAMES.seller}@example.com`, password: PASSWORD, next: '/panel/keys' },
  }),
  'GET /panel/sign-in/organisation': at(`/panel/sign-in/organisation?next=/panel/${'a'.repeat(1_400)}`),
  'GET /panel/signed-in': (stage) => stage.backFromIssuer(),
  'POST /panel/sign-out': (stage) => ofMember(stage, '/panel/sign-out', {}),
  'GET /panel/welcome/:token': async (stage) => ({ path: await welcome(stage, 'guest-1') }),
  'POST /panel/welcome/:token': async (stage, n) => ({
    path: await welcome(stage, `guest-${n + 2}`),
    fields: { name: `${n}`.padEnd(100, '"'), password: PASSWORD },
  }),
  'GET /panel/keys': at('/panel/keys'),
  'POST /panel/keys': async (stage) => {
    await stage.makeRoomForKey();
    return { path: '/panel/keys', fields: { name: KEY_NAME, scopes: 'automations:read', expires: 'none' } };
  },
  ...keyRoutes('revoke', {}),
  ...keyRoutes('rename', { name: KEY_NAME.replace('"', 'n') }),
  ...keyRoutes('rotate', { overlap: '24' }),
  'GET /panel/consent/:id': async (stage) => ({ path: await stage.newQuestion() }),
  'POST /panel/consent/:id': async (stage) => ({ path: await stage.newQuestion(), fields: { answer: 'allow' } }),
  'GET /panel/apps': at('/panel/apps'),
  'POST /panel/apps': async (stage) => {
    await stage.makeRoomForApp();
    return { path: '/panel/apps', fields: { ...APP, kind: 'web' } };
  },
  ...appRoutes('', APP),
  ...appRoutes('/secret'),
  ...appRoutes('/revoke'),
  'GET /panel/connected': at('/panel/connected'),
  'GET /panel/connected/:id/disconnect': async (stage) => ({
    path: `/panel/connected/${await stage.newConnection()}/disconnect`,
  }),
  'POST /panel/connected/:id/disconnect': async (stage) => ({
    path: `/panel/connected/${await stage.newConnection()}/disconnect`,
    fields: {},
  }),
  'GET /panel/automations/new': (stage, n) => ({ path: `/panel/automations/new?from=${stage.own(n).id}` }),
  'POST /panel/automations/new': (_, n) => ({ path: '/panel/automations/new', fields: draft(n) }),
  'POST /panel/automations/preview': (_, n) => ({ path: '/panel/automations/preview', fields: draft(n) }),
  ...automationRoutes('/panel/automations'),
  'GET /panel/history': at('/panel/history?kind=automations'),
  'GET /panel/account': at('/panel/account'),
  ...accountRoutes('profile', (_, n) => ({
    path: '/panel/account/profile',
    fields: { publicName: publicName(1e6 + n), website: WEBSITE },
  })),
  ...accountRoutes('sign-in-name', (stage, n) =>
    ofMember(stage, '/panel/account/sign-in-name', { name: `${n}`.padEnd(100, "'"), nameCurrent: PASSWORD }),
  ),
  ...accountRoutes('password', (stage) =>
    ofMember(stage, '/panel/account/password', { current: PASSWORD, password: '"'.repeat(127).padEnd(128, 'a') }),
  ),
  ...accountRoutes('sign-out-everywhere', (stage) => ofMember(stage, '/panel/account/sign-out-everywhere', {})),
  'GET /panel/account/sessions/:id/end': at('/panel/account/sessions/0/end'),
  'POST /panel/account/sessions/:id/end': async (stage) => ({
    path: `/panel/account/sessions/${(await stage.newSession()).slice(0, 16)}/end`,
    fields: {},
  }),
  [`GET ${OPERATOR_AT}/categories`]: at(`${OPERATOR_AT}/categories?page=2`),
  [`POST ${OPERATOR_AT}/categories`]: (_, n) => ({
    path: `${OPERATOR_AT}/categories`,
    fields: { id: `new-${n}-`.padEnd(64, 'c'), name: `new ${n}`.padEnd(100, '"') },
  }),
  [`GET ${OPERATOR_AT}/categories/:id/rename`]: at(`${OPERATOR_AT}/categories/${CATEGORY}/rename`),
  [`POST ${OPERATOR_AT}/categories/:id/rename`]: (_, n) => ({
    path: `${OPERATOR_AT}/categories/${CATEGORY}/rename`,
    fields: { name: `other ${n}`.padEnd(100, '"') },
  }),
  [`GET ${OPERATOR_AT}/categories/:id/remove`]: at(`${OPERATOR_AT}/categories/${CATEGORY}/remove`),
  [`POST ${OPERATOR_AT}/categories/:id/remove`]: async ({ core }, n) => {
    const { id } = await core.categories.add(OPERATOR, { id: `gone-${n}`, name: `gone ${n}`.padEnd(100, '"') });
    return { path: `${OPERATOR_AT}/categories/${id}/remove`, fields: {} };
  },
  [`GET ${OPERATOR_AT}/developers`]: at(`${OPERATOR_AT}/developers?q=0`),
  [`POST ${OPERATOR_AT}/developers`]: (_, n) => ({
    path: `${OPERATOR_AT}/developers`,
    fields: { developer: idOf(`invited-${n}`), role: 'developer' },
  }),
  [`GET ${OPERATOR_AT}/developers/:id`]: at(sellerAt),
  [`GET ${OPERATOR_AT}/developers/:id/role`]: at(`${sellerAt}/role`),
  [`POST ${OPERATOR_AT}/developers/:id/role`]: () => ({ path: `${sellerAt}/role`, fields: { role: 'developer' } }),
  [`GET ${OPERATOR_AT}/developers/:id/suspend`]: at(`${sellerAt}/suspend`),
  [`POST ${OPERATOR_AT}/developers/:id/suspend`]: async (stage) => {
    const { id } = await stage.newMember();
    for (let n = 0; n < 25; n += 1) await stage.offer(id);
    const fields = { withdraw: 'yes', reason: REASON };
    return { path: `${OPERATOR_AT}/developers/${id}/suspend`, fields };
  },
  [`GET ${OPERATOR_AT}/developers/:id/restore`]: at(`${sellerAt}/restore`),
  [`POST ${OPERATOR_AT}/developers/:id/restore`]: () => ({ path: `${sellerAt}/restore`, fields: {} }),
  [`GET ${OPERATOR_AT}/developers/:id/keys/:key/revoke`]: async (stage) => {
    return { path: `${sellerAt}/keys/${await stage.newKey()}/revoke` };
  },
  [`POST ${OPERATOR_AT}/developers/:id/keys/:key/revoke`]: async (stage) => {
    return { path: `${sellerAt}/keys/${await stage.newKey()}/revoke`, fields: {} };
  },
  [`GET ${OPERATOR_AT}/developers/:id/name`]: at(`${sellerAt}/name`),
  [`POST ${OPERATOR_AT}/developers/:id/name`]: (_, n) => ({
    path: `${sellerAt}/name`,
    fields: { name: `name ${n} `.padEnd(100, '"') },
  }),
  [`GET ${OPERATOR_AT}/developers/:id/apps/:app/revoke`]: async (stage) => {
    return { path: `${sellerAt}/apps/${await stage.newApp()}/revoke` };
  },
  [`POST ${OPERATOR_AT}/developers/:id/apps/:app/revoke`]: async (stage) => {
    return { path: `${sellerAt}/apps/${await stage.newApp()}/revoke`, fields: {} };
  },
  ...automationRoutes(`${OPERATOR_AT}/automations`),
  [`GET ${OPERATOR_AT}/reports`]: async (stage) => {
    for (let n = 0; n < 26; n += 1)
      await stage.core.reports?.report({ isVisitor: true }, stage.own(n).id, { kind: 'dangerous' });
    return { path: `${OPERATOR_AT}/reports` };
  },
  [`GET ${OPERATOR_AT}/reports/:id`]: async (stage) => ({
    path: `${OPERATOR_AT}/reports/${(await stage.reported()).id}`,
  }),
  ...reportRoutes('dismiss', {}),
  ...reportRoutes('withdraw', { reason: REASON }),
  [`GET ${OPERATOR_AT}/history`]: at(`${OPERATOR_AT}/history?kind=categories&developer=${NAMES.seller}`),
};

/** Requests that have no route. */
export const WITHOUT_ROUTE: Readonly<Record<string, Make>> = {
  'no key': () => ({ path: '/api/automations', status: 401 }),
  'a wrong key': () => ({ path: '/api/automations', key: `amk_${'a'.repeat(36)}`, status: 401 }),
  'an unknown path under a base': () => ({ path: `/api/${LONG}`, status: 404 }),
  'an unknown path': () => ({ path: `/${LONG}`, status: 404 }),
  'an unknown path under /panel': () => ({ path: `/panel/${LONG}`, status: 404 }),
  'an unknown path under /catalogue': () => ({ path: `/catalogue/a/${LONG}`, status: 404 }),
  'a form without a session': (_, n) => {
    return { path: '/panel/automations/new', method: 'POST', fields: draft(n), status: 403 };
  },
  'a method that a route does not take': () => ({ path: '/catalogue', method: 'DELETE', status: 405 }),
  'no HTTP': () => ({ path: '', raw: `GET / HTTP/1.1\r\n${LONG}\r\n\r\n`, status: 400 }),
  CONNECT: () => ({ path: 'a:443', method: 'CONNECT', status: 405 }),
};

async function welcome(stage: Stage, name: string): Promise<string> {
  return new URL(await stage.service.invite(idOf(name))).pathname;
}

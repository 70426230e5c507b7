import { randomUUID } from 'node:crypto';
import { CATEGORIES, REDIRECT_URIS, TEXTS } from './contents.js';
import { WORST } from './requests.js';
import type { Who } from './send.js';
import type { Stage } from './stage.js';
import { toolCall, type WorstRequest } from './worst-request.js';

type Make = (stage: Stage, n: number) => WorstRequest | Promise<WorstRequest>;

/** A route that reads a body, or starts work for anyone, with what it refuses. */
export interface RefusingRoute {
  /** A method and the template of a route, as in docs/routes.md. */
  readonly name: string;
  readonly who: Who;
  readonly legal: Make | undefined;
  /** By what is wrong with each. */
  readonly refused: Readonly<Record<string, Make>>;
}

const BYTES = 64 * 1024 - 2_000;
/** As many members, each unknown, as a body has room for. */
const MANY = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`a${n}`, 1]));
const FIFTY = Object.fromEntries(Array.from({ length: 45 }, (_, n) => [`${n}`.padEnd(1_000, 'a'), 1]));
/** What costs most to check, and is refused at its end. */
const INVALID = { title: `${TEXTS[2]?.title}\u0301\u0301`, description: `${TEXTS[4]?.description} \u0000`, price: -1 };
const DRAFT = { ...TEXTS[4], price: 9.99, category_id: CATEGORIES[0]?.id };

const json = (path: string, text: string): WorstRequest => ({ path, json: text });
const invalidCreate = JSON.stringify({ ...INVALID, category_id: 'none' });

/** Returns a form of the protocol, which oidc-provider reads up to 56 KiB. */
function oauthForm(path: string, fields: Readonly<Record<string, string>>): WorstRequest {
  return { path, form: new URLSearchParams(fields).toString() };
}

const LONG = 'a'.repeat(50_000);
const CLIENT = { client_id: randomUUID() };
const CODE = { grant_type: 'authorization_code', code: 'a'.repeat(43), redirect_uri: REDIRECT_URIS[9] ?? '' };

const PROGRAMS: readonly RefusingRoute[] = [
  {
    name: 'GET /automations',
    who: 'reading key',
    legal: WORST['GET /automations'],
    refused: {
      'unknown parameters': () => ({ path: `/api/automations?${'a&'.repeat(4_000)}` }),
      'a search too long': () => ({ path: `/api/automations?q=${'%CC%81'.repeat(1_300)}` }),
    },
  },
  {
    name: 'POST /automations',
    who: 'writing key',
    legal: WORST['POST /automations'],
    refused: {
      'no JSON': () => json('/api/automations', '['.repeat(BYTES)),
      'unknown members': () => json('/api/automations', JSON.stringify(MANY)),
      'an invalid draft': () => json('/api/automations', invalidCreate),
    },
  },
  {
    name: 'POST /mcp',
    who: 'writing key',
    legal: WORST['POST /mcp'],
    refused: {
      'no JSON': () => json('/mcp', '['.repeat(BYTES)),
      'several messages': () => json('/mcp', `[${'{},'.repeat(20_000)}{}]`),
      'thousands of values': () => toolCall('list_categories', MANY),
      'fifty unknown arguments': () => toolCall('list_categories', FIFTY),
      'an invalid draft': () => toolCall('create_automation', { ...INVALID, idempotency_key: 'a' }),
    },
  },
  {
    name: 'POST /mcp, without the scope',
    who: 'reading key',
    legal: undefined,
    refused: { 'a create': () => toolCall('create_automation', { ...DRAFT, idempotency_key: 'a' }) },
  },
];

const OAUTH: readonly RefusingRoute[] = [
  ['POST /oauth/token', '/oauth/token', { ...CLIENT, ...CODE, code_verifier: LONG }],
  ['POST /oauth/token/revocation', '/oauth/token/revocation', { ...CLIENT, token: LONG }],
  ['POST /oauth/device/auth', '/oauth/device/auth', { ...CLIENT, login_hint: LONG }],
  ['POST /oauth/device', '/oauth/device', { user_code: LONG, xsrf: 'a' }],
  ['POST /oauth/auth', '/oauth/auth', { ...CLIENT, response_type: 'code', state: LONG }],
].map(([name, path, fields]) => ({
  name: name as string,
  who: 'anyone',
  legal: undefined,
  refused: { 'an unknown client': () => oauthForm(path as string, fields as Readonly<Record<string, string>>) },
}));

/** Returns a form of the panel with each of its fields too long, and one that another page sent. */
function refusedForms(make: Make): RefusingRoute['refused'] {
  const invalid: Make = async (stage, n) => {
    const request = await make(stage, n);
    const fields = Object.keys(request.fields ?? {}).map((name) => [name, '"'.repeat(1_001)]);
    return { ...request, fields: Object.fromEntries(fields) as Readonly<Record<string, string>> };
  };
  const foreign: Make = async (stage, n) => ({ ...(await make(stage, n)), origin: 'https://evil.example' });
  return { 'invalid fields': invalid, 'of another site': foreign };
}

const FORMS: readonly (readonly [path: string, who: Who])[] = [
  ['/panel/sign-in', 'anyone'],
  ['/panel/automations/new', 'seller'],
  ['/panel/automations/preview', 'seller'],
  ['/panel/keys', 'member'],
  ['/panel/apps', 'seller'],
  ['/panel/consent/:id', 'seller'],
  ['/panel/account/profile', 'member'],
  ['/panel/account/sign-in-name', 'member'],
  ['/panel/account/password', 'member'],
];

/** Every route that reads a body; those of the panel stand for its other forms, which are read in the same way. */
export const REFUSING: readonly RefusingRoute[] = [
  ...PROGRAMS,
  ...FORMS.map(([path, who]) => {
    const legal = WORST[`POST ${path}`];
    return { name: `POST ${path}`, who, legal, refused: legal === undefined ? {} : refusedForms(legal) };
  }),
  ...OAUTH,
];

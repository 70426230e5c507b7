import type { Draft, Fault } from './faulty.js';
import { SEARCH_FAULTS } from './search-faults.js';

type Json = Record<string, unknown> & { data?: Record<string, unknown>[]; errors?: Record<string, unknown>[] };

/** Changes the JSON of an answer. */
function json(draft: Draft, change: (value: Json) => void): Draft {
  if (draft.body === '') return draft;
  const value = JSON.parse(draft.body) as Json;
  change(value);
  draft.body = JSON.stringify(value);
  return draft;
}

const isList = ({ path, status, method }: Draft) => path.endsWith('/automations') && status === 200 && method === 'GET';
const isOne = ({ path, status }: Draft) => /\/automations\/[^/]+$/.test(path) && status === 200;
const isShelf = ({ path, status }: Draft) => path.endsWith('/categories') && status === 200;
const onList = (change: (value: Json) => void) => (draft: Draft) => isList(draft) && json(draft, change);
const onOne = (change: (value: Json) => void) => (draft: Draft) => isOne(draft) && json(draft, change);
const onShelf = (change: (value: Json) => void) => (draft: Draft) => isShelf(draft) && json(draft, change);
const onProblem = (change: (value: Json) => void) => (draft: Draft) => draft.status >= 400 && json(draft, change);
const turned = (from: number, to: number) => (draft: Draft) => draft.status === from && (draft.status = to);
const without = (name: string) => (draft: Draft) => Reflect.deleteProperty(draft.headers, name);

/** A fault at a time, and the check that must notice. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'total is one too many',
    noticed: 'as many items as total',
    answer: onList((value) => (value['total'] = Number(value['total']) + 1)),
  },
  {
    name: 'total is the size of the page',
    noticed: 'as many items as total',
    answer: onList((value) => (value['total'] = value.data?.length ?? 0)),
  },
  {
    name: 'an item is skipped',
    noticed: 'as many items as total',
    answer: onList((value) => value.data?.splice(3, 1)),
  },
  {
    name: 'pages overlap',
    noticed: 'every automation once',
    target: (target) => target.replace(/limit=100&page=2\b/, 'limit=100&page=1'),
  },
  {
    name: 'limit is clamped',
    noticed: 'never clamped',
    target: (target) => target.replace(/limit=(101|1000)\b/, 'limit=100'),
  },
  {
    name: 'page is clamped',
    noticed: 'never clamped',
    target: (target) => target.replace(/page=(0|-1)(&|$)/, 'page=1$2'),
  },
  {
    name: 'unknown parameters are ignored',
    noticed: 'never clamped',
    target: (target) => target.replace(/[?&]sorted=price/, ''),
  },
  {
    name: 'a repeated parameter is taken',
    noticed: 'never clamped',
    target: (target) => target.replace('page=1&page=2', 'page=2'),
  },
  {
    name: '20 are on a page by default',
    noticed: '25 are on a page',
    target: (target) => (target.endsWith('/automations') ? `${target}?limit=20` : target),
  },
  { name: 'oldest first', noticed: 'same slice of one order', answer: onList((value) => value.data?.reverse()) },
  {
    name: 'an item has a description',
    noticed: 'exactly data, total and page',
    answer: onList((value) => value.data?.forEach((item) => (item['description'] = 'x'))),
  },
  ...SEARCH_FAULTS,
  {
    name: 'the envelope has a limit',
    noticed: 'exactly data, total and page',
    answer: onList((value) => (value['limit'] = 25)),
  },
  {
    name: 'a price is a string',
    noticed: 'exactly data, total and page',
    answer: onList((value) => value.data?.forEach((item) => (item['price'] = String(item['price'])))),
  },
  {
    name: 'the filter is ignored',
    noticed: 'category filters',
    target: (target) => target.replace(/category=[a-z-]+&?/, ''),
  },
  {
    name: 'past the end is 404',
    noticed: 'past the end',
    answer: (draft) => isList(draft) && draft.query.includes('999999999') && (draft.status = 404),
  },
  {
    name: 'Link has no last',
    noticed: 'first, prev, next and last',
    answer: (draft) => (draft.headers['link'] &&= draft.headers['link'].replace(/, <[^>]*>; rel="last"/, '')),
  },
  {
    name: 'Link loses the limit',
    noticed: 'leads to the next page',
    answer: (draft) => (draft.headers['link'] &&= draft.headers['link'].replaceAll(/limit=\d+&/g, '')),
  },
  {
    name: 'no key is needed',
    noticed: 'without a key every path',
    answer: (draft) => draft.key === '' && (draft.status = 200),
  },
  { name: 'the challenge is missing', noticed: 'without a key every path', answer: without('www-authenticate') },
  {
    name: 'the challenge names an error without a key',
    noticed: 'without a key every path',
    answer: (draft) =>
      (draft.headers['www-authenticate'] &&= `${draft.headers['www-authenticate']}, error="invalid_request"`),
  },
  {
    name: 'the challenge names another realm',
    noticed: 'names the realm',
    answer: (draft) =>
      (draft.headers['www-authenticate'] &&= draft.headers['www-authenticate'].replace('automation-marketplace', 'x')),
  },
  {
    name: 'bad keys are told apart',
    noticed: 'malformed or unknown',
    answer: (draft) =>
      draft.status === 401 && draft.key.length > 20 && json(draft, (value) => (value['detail'] = 'Expired.')),
  },
  {
    name: 'a wrong key is 403',
    noticed: 'malformed or unknown',
    answer: (draft) => draft.key !== '' && turned(401, 403)(draft),
  },
  {
    name: 'the scheme is case-sensitive',
    noticed: 'case-insensitive',
    header: (name, value) => (name === 'authorization' && value.startsWith('bearer') ? undefined : value),
  },
  {
    name: 'an automation has no update time',
    noticed: 'exactly its nine members',
    answer: onOne((value) => delete value['updated_at']),
  },
  {
    name: 'an automation was updated before it was created',
    noticed: 'exactly its nine members',
    answer: onOne((value) => (value['updated_at'] = '2001-01-01T00:00:00.000Z')),
  },
  {
    name: 'updated_at has no milliseconds',
    noticed: 'exactly its nine members',
    answer: onOne((value) => (value['updated_at'] = String(value['updated_at']).replace(/\.\d+/, ''))),
  },
  {
    name: 'created_at has no milliseconds',
    noticed: 'exactly its nine members',
    answer: onOne((value) => (value['created_at'] = String(value['created_at']).replace(/\.\d+/, ''))),
  },
  {
    name: 'the details have another price',
    noticed: 'exactly its nine members',
    answer: onOne((value) => (value['price'] = Number(value['price']) + 1)),
  },
  {
    name: 'a malformed id is 400',
    noticed: 'unknown or malformed is 404',
    answer: (draft) => draft.path.endsWith('/x') && turned(404, 400)(draft),
  },
  { name: 'a trailing slash is taken', noticed: 'paths are exact', target: (target) => target.replace(/\/$/, '') },
  {
    name: 'upper case is taken',
    noticed: 'paths are exact',
    target: (target) => target.replace('/Automations', '/automations'),
  },
  { name: 'categories are in no order', noticed: 'ordered by name', answer: onShelf((value) => value.data?.reverse()) },
  {
    name: 'categories are ordered by code unit',
    noticed: 'ordered by name',
    answer: onShelf((value) =>
      value.data?.forEach((one, index) => (one['name'] = ['CRM', 'Cloud'][index] ?? `Z${index}`)),
    ),
  },
  {
    name: 'a count is wrong',
    noticed: 'add up to the total',
    answer: onShelf((value) =>
      value.data?.slice(-1).forEach((one) => (one['automation_count'] = Number(one['automation_count']) + 5)),
    ),
  },
  { name: 'an unknown method is 404', noticed: 'is 405 with Allow', answer: turned(405, 404) },
  { name: 'Allow is missing', noticed: 'is 405 with Allow', answer: without('allow') },
  { name: 'OPTIONS is 200', noticed: 'OPTIONS is 204', answer: turned(204, 200) },
  {
    name: 'HEAD has another ETag',
    noticed: 'HEAD returns the same',
    answer: (draft) => draft.method === 'HEAD' && draft.headers['etag'] && (draft.headers['etag'] = '"x"'),
  },
  {
    name: 'Accept is ignored',
    noticed: 'admits no JSON is 406',
    header: (name, value) => (name === 'accept' ? '*/*' : value),
  },
  {
    name: 'ETag is weak',
    noticed: 'strong ETag',
    answer: (draft) => (draft.headers['etag'] &&= `W/${draft.headers['etag']}`),
  },
  { name: 'one ETag for all', noticed: 'strong ETag', answer: (draft) => (draft.headers['etag'] &&= '"1"') },
  {
    name: 'If-None-Match is ignored',
    noticed: 'If-None-Match with it is 304',
    header: (name, value) => (name === 'if-none-match' ? undefined : value),
  },
  {
    name: 'If-Match is ignored',
    noticed: 'If-Match',
    header: (name, value) => (name === 'if-match' ? undefined : value),
  },
  {
    name: 'reads may be kept by anybody',
    noticed: 'private and revalidated',
    answer: (draft) => (draft.headers['cache-control'] = 'public, max-age=60'),
  },
  { name: 'Vary is missing', noticed: 'private and revalidated', answer: without('vary') },
  { name: 'sniffing is allowed', noticed: 'forbids sniffing', answer: without('x-content-type-options') },
  {
    name: 'every origin is allowed',
    noticed: 'forbids sniffing',
    answer: (draft) => (draft.headers['access-control-allow-origin'] = '*'),
  },
  {
    name: 'it says what made it',
    noticed: 'forbids sniffing',
    answer: (draft) => (draft.headers['x-powered-by'] = 'Express'),
  },
  {
    name: 'X-Request-Id does not come back',
    noticed: 'a legal X-Request-Id',
    header: (name, value) => (name === 'x-request-id' ? undefined : value),
  },
  {
    name: 'a problem is plain JSON',
    noticed: 'without a key every path',
    answer: (draft) => draft.status >= 400 && (draft.headers['content-type'] = 'application/json'),
  },
  {
    name: 'a stack leaks',
    noticed: 'unknown or malformed is 404',
    answer: onProblem((value) => (value['detail'] = 'Error at f (/srv/app.js:1:2)')),
  },
  {
    name: 'the code is another one than the type',
    noticed: 'unknown or malformed is 404',
    answer: onProblem((value) => (value['code'] = 'gone')),
  },
  {
    name: 'instance is another id',
    noticed: 'unknown or malformed is 404',
    answer: onProblem((value) => (value['instance'] = 'x')),
  },
  {
    name: 'only the first mistake is listed',
    noticed: 'mistake of a query is listed',
    answer: onProblem((value) => value.errors?.splice(1)),
  },
  {
    name: 'errors names no parameter',
    noticed: 'never clamped',
    answer: onProblem((value) => value.errors?.forEach((error) => delete error['parameter'])),
  },
  {
    name: 'limits contradict each other',
    noticed: 'what is left of a quota',
    answer: (draft) => (draft.headers['x-ratelimit-remaining'] &&= '7'),
  },
  { name: 'a create is 200', noticed: 'a create is 201', answer: turned(201, 200) },
  { name: 'Location is missing', noticed: 'a create is 201', answer: without('location') },
  {
    name: 'titles are cut',
    noticed: 'texts come back',
    answer: (draft) =>
      draft.status === 201 && json(draft, (value) => (value['title'] = String(value['title']).slice(0, 50))),
  },
  { name: 'a replay is not marked', noticed: 'same create with the same', answer: without('idempotent-replayed') },
  {
    name: 'Idempotency-Key is ignored',
    noticed: 'same create with the same',
    header: (name, value) => (name === 'idempotency-key' ? undefined : value),
  },
  { name: 'a wrong member is 400', noticed: 'is 422 with its pointer', answer: turned(422, 400) },
  {
    name: 'pointers are missing',
    noticed: 'is 422 with its pointer',
    answer: onProblem((value) => value.errors?.forEach((error) => delete error['pointer'])),
  },
  {
    name: 'any type is taken',
    noticed: 'another type or encoding is 415',
    header: (name, value) => (name === 'content-type' ? 'application/json' : value),
  },
];

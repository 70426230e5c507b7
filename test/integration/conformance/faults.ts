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
const isCategories = ({ path, status }: Draft) => path.endsWith('/categories') && status === 200;
const onList = (change: (value: Json) => void) => (draft: Draft) => isList(draft) && json(draft, change);
const onOne = (change: (value: Json) => void) => (draft: Draft) => isOne(draft) && json(draft, change);
const onCategories = (change: (value: Json) => void) => (draft: Draft) => isCategories(draft) && json(draft, change);
const turned = (from: number, to: number) => (draft: Draft) => draft.status === from && (draft.status = to);
const without = (name: string) => (draft: Draft) => Reflect.deleteProperty(draft.headers, name);

/** A list with one more for each create that was refused. */
function countingRefused(): (draft: Draft) => unknown {
  let refused = 0;
  return (draft) => {
    if (draft.method === 'POST' && draft.status >= 400) refused += 1;
    return isList(draft) && json(draft, (value) => (value['total'] = Number(value['total']) + refused));
  };
}

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
    noticed: '?limit=101 is answered',
    target: (target) => target.replace(/limit=(101|1000)\b/, 'limit=100'),
  },
  {
    name: 'page is clamped',
    noticed: '?page=0 is answered',
    target: (target) => target.replace(/page=(0|-1)(&|$)/, 'page=1$2'),
  },
  {
    name: 'a repeated parameter is taken',
    noticed: '?page=1&page=2 is answered',
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
    noticed: 'No Authorization is answered',
    answer: (draft) => draft.key === '' && (draft.status = 200),
  },
  {
    name: 'bad keys are told apart',
    noticed: 'get the same answer',
    answer: (draft) =>
      draft.status === 401 && draft.key.length > 20 && json(draft, (value) => (value['detail'] = 'Expired.')),
  },
  {
    name: 'the scheme is case-sensitive',
    noticed: 'The scheme in small letters',
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
    name: 'a trailing slash is taken',
    noticed: 'Nothing at /api/automations/ is',
    target: (target) => target.replace(/\/$/, ''),
  },
  {
    name: 'upper case is taken',
    noticed: 'Nothing at /api/Automations is',
    target: (target) => target.replace('/Automations', '/automations'),
  },
  {
    name: 'categories are in no order',
    noticed: 'ordered by name',
    answer: onCategories((value) => value.data?.reverse()),
  },
  {
    name: 'categories are ordered by code unit',
    noticed: 'ordered by name',
    answer: onCategories((value) =>
      value.data?.forEach((one, index) => (one['name'] = ['CRM', 'Cloud'][index] ?? `Z${index}`)),
    ),
  },
  {
    name: 'a count is wrong',
    noticed: 'add up to the total',
    answer: onCategories((value) =>
      value.data?.slice(-1).forEach((one) => (one['automation_count'] = Number(one['automation_count']) + 5)),
    ),
  },
  {
    name: 'HEAD has another ETag',
    noticed: 'HEAD returns the same',
    answer: (draft) => draft.method === 'HEAD' && draft.headers['etag'] && (draft.headers['etag'] = '"x"'),
  },
  {
    name: 'Accept is ignored',
    noticed: 'Accept text/html is',
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
    noticed: 'If-Match with another tag',
    header: (name, value) => (name === 'if-match' ? undefined : value),
  },
  {
    name: 'X-Request-Id does not come back',
    noticed: 'The request id conformance-1',
    header: (name, value) => (name === 'x-request-id' ? undefined : value),
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
  {
    name: 'any type is taken',
    noticed: 'Content-Type text/plain is',
    header: (name, value) => (name === 'content-type' ? 'application/json' : value),
  },
  {
    name: 'what is refused is stored',
    noticed: 'a create that is refused stores nothing',
    answer: countingRefused(),
  },
];

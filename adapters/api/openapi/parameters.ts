import type { Currency } from '../../../domain/currency.js';
import { AUTOMATION_ID, createExample, ETAG, REQUEST_ID } from './examples.js';
import type { Examples, Parameter } from './model.js';
import { listQuerySchema } from '../schemas.js';

/** Visible ASCII except the double quote and the backslash, bare or in double quotes. */
const IDEMPOTENCY_KEY = '^(?:[!#-\\[\\]-~]{1,255}|"[!#-\\[\\]-~]{1,255}")$';

/** Returns the parameters, by the name of the component. */
export function parameters(currency: Currency, search: boolean): Readonly<Record<string, Parameter>> {
  return {
    ...listParameters(currency, search),
    id: {
      name: 'id',
      in: 'path',
      required: true,
      description: 'The id of an automation, a UUID in lower or upper case. Anything else is 404.',
      schema: { type: 'string', minLength: 1 },
      examples: { automation: { value: AUTOMATION_ID } },
    },
    ...headers,
  };
}

/** Returns the parameters of the list, by name. Without `search`, nothing finds by words. */
export function listParameters(currency: Currency, search: boolean): Readonly<Record<string, Parameter>> {
  const { properties } = listQuerySchema(currency, search);
  const { page, limit, category, platform, after, q, sort, price_min, price_max } = properties;
  const { category_id, price } = createExample(currency);
  return {
    page: inQuery('page', page, { second: { value: 2 } }),
    limit: inQuery('limit', limit, { most: { value: limit.maximum } }),
    category: inQuery('category', category, { finance: { value: category_id } }),
    platform: inQuery('platform', platform, { n8n: { value: platform.enum[0] } }),
    after: inQuery('after', after, { automation: { value: AUTOMATION_ID } }),
    ...(q && { q: inQuery('q', q, { words: { value: 'invoice' }, beginning: { value: 'sort inv' } }) }),
    sort: inQuery('sort', sort, Object.fromEntries(sort.enum.map((order) => [order, { value: order }]))),
    price_min: inQuery('price_min', price_min, { paid: { value: 1 } }),
    price_max: inQuery('price_max', price_max, { upTo: { value: price }, free: { value: 0 } }),
  };
}

function inQuery(name: string, described: { readonly description: string }, examples: Examples): Parameter {
  const { description, ...schema } = described;
  return { name, in: 'query', required: false, description, schema, examples };
}

function inHeader(name: string, description: string, examples: Examples, pattern?: string): Parameter {
  const schema = { type: 'string', ...(pattern !== undefined && { pattern }) };
  return { name, in: 'header', required: false, description, schema, examples };
}

const headers = {
  'X-Request-Id': inHeader(
    'X-Request-Id',
    'An id for this request, of 1 to 64 letters, digits and hyphens. It is echoed and logged; any other value is ' +
      'replaced.',
    { own: { value: REQUEST_ID } },
  ),
  'If-None-Match': inHeader(
    'If-None-Match',
    'Entity tags of responses that the client has; the response is 304 if one of them is current.',
    { one: { value: ETAG }, any: { value: '*' } },
  ),
  'Idempotency-Key': inHeader(
    'Idempotency-Key',
    'A value that no other create of the developer has, such as a random UUID. With it the request can be repeated ' +
      'until there is a response.',
    {
      bare: { value: '8e03978e-40d5-43e8-bc93-6894a57f9324' },
      quoted: { value: '"8e03978e-40d5-43e8-bc93-6894a57f9324"' },
    },
    IDEMPOTENCY_KEY,
  ),
} as const satisfies Record<string, Parameter>;

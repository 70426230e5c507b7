import type { Currency } from '../../../domain/currency.js';
import { AUTOMATION_ID, createExample, ETAG, REQUEST_ID } from './examples.js';
import type { Examples, Parameter } from './model.js';
import { listQuerySchema } from '../schemas.js';

const ENTITY_TAGS = '^(?:\\*|(?:W/)?"[^"]*"(?:[ \\t]*,[ \\t]*(?:W/)?"[^"]*")*)$';

/** Visible ASCII but the double quote and the backslash, bare or in double quotes. */
const IDEMPOTENCY_KEY = '^(?:[!#-\\[\\]-~]{1,255}|"[!#-\\[\\]-~]{1,255}")$';

/** The parameters, by the name of the component. */
export function parameters(currency: Currency): Readonly<Record<string, Parameter>> {
  const query = listQuerySchema.properties;
  return {
    page: inQuery('page', query.page, { second: { value: 2 } }),
    limit: inQuery('limit', query.limit, { most: { value: query.limit.maximum } }),
    category: inQuery('category', query.category, { finance: { value: createExample(currency).category_id } }),
    id: {
      name: 'id',
      in: 'path',
      required: true,
      description: 'The id of an automation. Anything else, malformed ids included, is 404.',
      schema: { type: 'string', format: 'uuid' },
      examples: { automation: { value: AUTOMATION_ID } },
    },
    ...headers,
  };
}

function inQuery(name: string, { description, ...schema }: { readonly description: string }, examples: Examples): Parameter {
  return { name, in: 'query', required: false, description, schema, examples };
}

function inHeader(name: string, description: string, pattern: string, examples: Examples): Parameter {
  return { name, in: 'header', required: false, description, schema: { type: 'string', pattern }, examples };
}

const headers = {
  'X-Request-Id': inHeader(
    'X-Request-Id',
    'A name for this request, echoed in the answer and noted in the log. One of another form is replaced.',
    '^[A-Za-z0-9-]{1,64}$',
    { own: { value: REQUEST_ID } },
  ),
  'If-None-Match': inHeader(
    'If-None-Match',
    'Entity tags of answers that the client has; the answer is 304 when one of them is current.',
    ENTITY_TAGS,
    { one: { value: ETAG }, any: { value: '*' } },
  ),
  'If-Match': inHeader(
    'If-Match',
    'Entity tags by strong comparison; the answer is 412 when none of them is current.',
    ENTITY_TAGS,
    { one: { value: ETAG } },
  ),
  'Idempotency-Key': inHeader(
    'Idempotency-Key',
    'A name for this create that no other create of the developer has, such as a random UUID. With it the request can be sent again until it is answered.',
    IDEMPOTENCY_KEY,
    { bare: { value: '8e03978e-40d5-43e8-bc93-6894a57f9324' }, quoted: { value: '"8e03978e-40d5-43e8-bc93-6894a57f9324"' } },
  ),
} as const satisfies Record<string, Parameter>;

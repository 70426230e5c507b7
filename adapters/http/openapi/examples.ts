import { decimalsOf, type Currency } from '../../../domain/currency.js';
import { PROBLEMS, type ProblemField, type ProblemSlug } from '../problems.js';
import type { AutomationJson, AutomationListJson, CategoryListJson, CreateAutomationJson } from '../representations.js';

export const AUTOMATION_ID = '01980c5e-7a3b-7c4d-9e21-5f60a1b2c3d4';
export const ETAG = '"nq8bYc1Zs0H4mLxk7Tq2RfWv3eU"';
export const REQUEST_ID = 'checkout-7f3a';

export function createExample(currency: Currency): CreateAutomationJson {
  return {
    title: 'Invoice sorter',
    description: 'Files incoming invoices by supplier and month.\nWorks with every mailbox that speaks IMAP.',
    price: decimalsOf(currency) === 0 ? 10 : 9.99,
    category_id: 'finance',
  };
}

export function automationExample(currency: Currency): AutomationJson {
  const { title, description, price, category_id } = createExample(currency);
  const rest = { currency, category_id, developer_id: 'acme', created_at: '2026-01-15T09:30:00.000Z' };
  return { id: AUTOMATION_ID, title, description, price, ...rest };
}

export function automationListExample(currency: Currency): AutomationListJson {
  const { id, title, price } = automationExample(currency);
  return { data: [{ id, title, price }], total: 1, page: 1 };
}

export const pastTheEndExample: AutomationListJson = { data: [], total: 1, page: 2 };

export const categoryListExample: CategoryListJson = {
  data: [
    { id: 'finance', name: 'Finance', automation_count: 1 },
    { id: 'marketing', name: 'Marketing', automation_count: 0 },
  ],
  total: 2,
};

/** What the service says in `detail`; a test holds those that it can provoke to it. */
const DETAILS: Readonly<Record<ProblemSlug, string>> = {
  'malformed-request': 'The header authorization must be sent once.',
  'malformed-json': 'The body must be a JSON text in UTF-8, without a byte order mark.',
  'invalid-query': 'The query has parameters that are not allowed.',
  'idempotency-key-invalid':
    'Idempotency-Key must be 1 to 255 visible ASCII characters except " and \\, and be sent once.',
  'missing-credentials': 'Send the header "Authorization: Bearer <key>".',
  'invalid-token': 'The key is malformed, unknown, expired or revoked.',
  'insufficient-scope': 'This needs the scope automations:write.',
  'not-found': 'There is no automation with this id.',
  'method-not-allowed': 'This path takes GET, HEAD, OPTIONS, POST.',
  'not-acceptable': 'The header Accept must admit application/json.',
  'request-timeout': 'The headers or the body took too long to arrive.',
  conflict: 'An automation has this id already.',
  'idempotency-in-progress': 'An earlier request with this idempotency key is under way.',
  'precondition-failed': 'If-Match names no current entity tag of this resource.',
  'payload-too-large': 'The body must be at most 64 KiB.',
  'uri-too-long': 'The request target must be at most 8 KiB.',
  'unsupported-media-type': 'The body must be application/json in UTF-8.',
  'unsupported-content-encoding': 'The body must be sent without Content-Encoding.',
  'expectation-failed': 'The only expectation met is 100-continue.',
  'validation-error': 'The automation is not valid; nothing was stored.',
  'idempotency-key-reused':
    'This idempotency key was used for an automation with other content; use a new key for a new automation.',
  'quota-exceeded': 'The limit is 600 reads a minute.',
  'header-too-large': 'The headers must be at most 16 KiB in all.',
  'internal-error': 'Something went wrong on our side.',
  unavailable: 'The storage is out of reach; nothing was done. Try again later.',
  overloaded: 'More requests came than can be served. Try again later.',
  'outcome-unknown': 'It cannot be told whether this was done. Ask again with the same idempotency key.',
};

const ERRORS: Partial<Record<ProblemSlug, readonly ProblemField[]>> = {
  'invalid-query': [
    { parameter: 'limit', code: 'out-of-range', detail: 'must be an integer from 1 to 100, in plain digits' },
    { parameter: 'sort', code: 'unknown-parameter', detail: 'is unknown; there are page, limit, category' },
  ],
  'validation-error': [
    { pointer: '/title', code: 'required', detail: 'is required' },
    { pointer: '/price', code: 'wrong-type', detail: 'must be a number, not a string' },
  ],
};

/** A problem document as it could come. */
export function problemExample(slug: ProblemSlug, mountPath: string) {
  const { status, title } = PROBLEMS[slug];
  const errors = ERRORS[slug];
  const type = `${mountPath}/problems/${slug}`;
  return { type, title, status, detail: DETAILS[slug], instance: REQUEST_ID, ...(errors && { errors }) };
}

import type { Scope } from '../../../domain/scope.js';
import type { Currency } from '../../../domain/currency.js';
import { createExample, giftExample } from './examples.js';
import { ref, type Operation, type PathItem, type Ref } from './model.js';
import { listParameters } from './parameters.js';
import { statusOf, type Refusal } from './responses.js';

/** The refusals of every operation. */
const ALWAYS: readonly Refusal[] = [
  'Unauthorized',
  'RequestTimeout',
  'UriTooLong',
  'ExpectationFailed',
  'TooManyRequests',
  'HeaderTooLarge',
  'InternalError',
];
const READ: readonly Refusal[] = [
  ...ALWAYS,
  'BadRequest',
  'Forbidden',
  'NotAcceptable',
  'PreconditionFailed',
  'Unavailable',
];
const CREATE: readonly Refusal[] = [
  ...ALWAYS,
  'BadCreateRequest',
  'Forbidden',
  'NotAcceptable',
  'Conflict',
  'PayloadTooLarge',
  'UnsupportedMediaType',
  'UnprocessableContent',
  'CreateUnavailable',
];

/** The four endpoints, by the path below a base. */
export function paths(currency: Currency, search: boolean): Readonly<Record<string, PathItem>> {
  return {
    '/automations': {
      ...reading({ ...listAutomations, parameters: Object.keys(listParameters(currency, search)) }),
      post: createAutomation(currency),
    },
    '/automations/{id}': reading(readAutomation),
    '/categories': reading(listCategories),
  };
}

type Described = Pick<Operation, 'operationId' | 'tags' | 'summary' | 'description'>;

interface Read extends Described {
  readonly parameters: readonly string[];
  readonly found: string;
  readonly unchanged: string;
  readonly refusals?: readonly Refusal[];
}

const listAutomations: Omit<Read, 'parameters'> = {
  operationId: 'listAutomations',
  tags: ['Automations'],
  summary: 'List automations',
  description:
    'One page of the automations on sale. Without `sort` newest first: the reverse of the order in which they were ' +
    'stored, the same for every reader. `total` counts all that match and comes from the same state as the page. A ' +
    'page past the end is empty. With `after`, what comes behind one of them: for reading everything. Values out of ' +
    'range are rejected, never adjusted.',
  found: 'AutomationList',
  unchanged: 'PageNotModified',
};

const readAutomation: Read = {
  operationId: 'readAutomation',
  tags: ['Automations'],
  summary: 'Read an automation',
  description:
    'One automation in full. Its developer or the operator can revise what it says; then ' +
    '`updated_at` and the entity tag change. After its withdrawal it behaves as if it had never existed.',
  parameters: ['id'],
  found: 'Automation',
  unchanged: 'NotModified',
  refusals: ['NotFound'],
};

const listCategories: Read = {
  operationId: 'listCategories',
  tags: ['Categories'],
  summary: 'List categories',
  description:
    'Every category, ordered by name, with the number of automations on sale in it. The operator manages them.',
  parameters: [],
  found: 'CategoryList',
  unchanged: 'NotModified',
};

function reading({ parameters, found, unchanged, refusals = [], ...described }: Read): PathItem {
  return {
    get: {
      ...described,
      security: needing('automations:read'),
      parameters: named(...parameters, 'If-None-Match', 'X-Request-Id'),
      responses: { 200: ref('responses', found), 304: ref('responses', unchanged), ...refused([...READ, ...refusals]) },
    },
  };
}

function createAutomation(currency: Currency): Operation {
  const examples = { automation: { value: createExample(currency) }, gift: { value: giftExample(currency) } };
  return {
    operationId: 'createAutomation',
    tags: ['Automations'],
    summary: 'Create an automation',
    description:
      'Puts an automation on sale for the developer of the key. Every mistake is reported at once. Send an ' +
      'Idempotency-Key, so that a create whose response was lost can be repeated.',
    security: needing('automations:write'),
    parameters: named('Idempotency-Key', 'X-Request-Id'),
    requestBody: {
      required: true,
      description:
        'At most 64 KiB of JSON in UTF-8; with a file at most 2 MiB, sent with Content-Length. Of members with the ' +
        'same name the last counts; unknown members are rejected.',
      content: { 'application/json': { schema: ref('schemas', 'CreateAutomation'), examples } },
    },
    responses: { 201: ref('responses', 'AutomationCreated'), ...refused(CREATE) },
  };
}

function needing(scope: Scope): NonNullable<Operation['security']> {
  return [{ apiKey: [scope] }];
}

function named(...parameters: readonly string[]): readonly Ref[] {
  return parameters.map((name) => ref('parameters', name));
}

function refused(refusals: readonly Refusal[]): Readonly<Record<string, Ref>> {
  return Object.fromEntries(refusals.map((refusal) => [statusOf(refusal), ref('responses', refusal)]));
}

import type { Currency } from '../../../domain/currency.js';
import {
  automationExample,
  automationListExample,
  categoryListExample,
  pastTheEndExample,
  REQUEST_ID,
} from './examples.js';
import { carries } from './headers.js';
import { ref, type Content, type Examples, type Response } from './model.js';
import { problemExample, PROBLEMS, type ProblemSlug } from '../../edge/problems/table.js';

/** The problem types of each refusal; those of one response share their status. */
export const REFUSALS = {
  BadRequest: ['malformed-request', 'invalid-query'],
  BadCreateRequest: ['malformed-request', 'malformed-json', 'invalid-query', 'idempotency-key-invalid'],
  Unauthorized: ['missing-credentials', 'invalid-token'],
  Forbidden: ['insufficient-scope'],
  NotFound: ['not-found'],
  NotAcceptable: ['not-acceptable'],
  RequestTimeout: ['request-timeout'],
  Conflict: ['conflict'],
  PreconditionFailed: ['precondition-failed'],
  PayloadTooLarge: ['payload-too-large'],
  UriTooLong: ['uri-too-long'],
  UnsupportedMediaType: ['unsupported-media-type', 'unsupported-content-encoding'],
  ExpectationFailed: ['expectation-failed'],
  UnprocessableContent: ['validation-error', 'idempotency-key-reused'],
  TooManyRequests: ['quota-exceeded'],
  HeaderTooLarge: ['header-too-large'],
  InternalError: ['internal-error'],
  Unavailable: ['unavailable', 'overloaded'],
  CreateUnavailable: ['unavailable', 'overloaded', 'outcome-unknown'],
} as const satisfies Record<string, readonly [ProblemSlug, ...ProblemSlug[]]>;

export type Refusal = keyof typeof REFUSALS;

/** The header of a refusal, in addition to the headers of every response. */
const HEADER_OF_STATUS: Readonly<Record<number, 'WWW-Authenticate' | 'Retry-After'>> = {
  401: 'WWW-Authenticate',
  403: 'WWW-Authenticate',
  409: 'Retry-After',
  429: 'Retry-After',
  503: 'Retry-After',
};

export function statusOf(refusal: Refusal): number {
  return PROBLEMS[REFUSALS[refusal][0]].status;
}

/** Every response that operations refer to, by the name of its component. */
export function responses(currency: Currency, mountPath: string): Readonly<Record<string, Response>> {
  const names = Object.keys(REFUSALS) as Refusal[];
  return { ...successes(currency), ...Object.fromEntries(names.map((name) => [name, refused(name, mountPath)])) };
}

/** Returns a refusal, with every problem that it can be. */
function refused(refusal: Refusal, mountPath: string): Response {
  const slugs: readonly ProblemSlug[] = REFUSALS[refusal];
  const header = HEADER_OF_STATUS[statusOf(refusal)];
  const examples: Examples = Object.fromEntries(
    slugs.map((slug) => [slug, { summary: PROBLEMS[slug].title, value: problemExample(slug, mountPath, REQUEST_ID) }]),
  );
  return {
    description: slugs.map((slug) => `\`${slug}\`: ${markdown(PROBLEMS[slug].explanation)}`).join('\n\n'),
    headers: carries('NoStore', ...(header ? [header] : [])),
    content: { 'application/problem+json': { schema: ref('schemas', 'Problem'), examples } },
  };
}

/** Escapes `<key>`, which Markdown would take for HTML. */
function markdown(text: string): string {
  return text.replaceAll('<', '&lt;');
}

function successes(currency: Currency): Readonly<Record<string, Response>> {
  const automation = { automation: { value: automationExample(currency) } };
  const lists = { page: { value: automationListExample(currency) }, 'past the end': { value: pastTheEndExample } };
  return {
    AutomationList: {
      description: 'One page of the list.',
      headers: carries('Revalidate', 'ETag', 'Link'),
      content: json('AutomationList', lists),
    },
    Automation: {
      description: 'The automation, in full.',
      headers: carries('Revalidate', 'ETag'),
      content: json('Automation', automation),
    },
    CategoryList: {
      description: 'Every category, ordered by name.',
      headers: carries('Revalidate', 'ETag'),
      content: json('CategoryList', { categories: { value: categoryListExample } }),
    },
    AutomationCreated: {
      description: 'The automation is stored and on sale; every later list contains it.',
      headers: carries('NoStore', 'Location', 'Idempotent-Replayed'),
      content: json('Automation', automation),
      links: { readIt: { operationId: 'readAutomation', parameters: { id: '$response.body#/id' } } },
    },
    NotModified: { description: 'The client has it already.', headers: carries('Revalidate', 'ETag') },
    PageNotModified: {
      description: 'The client has this page already.',
      headers: carries('Revalidate', 'ETag', 'Link'),
    },
  };
}

function json(schema: string, examples: Examples): Content {
  return { 'application/json': { schema: ref('schemas', schema), examples } };
}

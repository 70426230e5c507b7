import type { FetchResponse } from './options.js';
import { ProblemError } from './problem-error.js';
import type { Automation, AutomationList, CategoryList, Problem } from './types.js';

/** What a request expects of its response. */
export interface Expected {
  /** The only status of a success. */
  readonly status: 200 | 201;
  /** Whether 304 is a response, too: the request has an entity tag. */
  readonly mayBeUnchanged: boolean;
  /** Says what the body must be, for people: `an automation`. */
  readonly what: string;
  /** Asks whether a JSON value is that. */
  readonly isBody: (body: unknown) => boolean;
}

/** A response to a request that was served. */
export interface Served {
  /** The entity tag. */
  readonly etag: string | null;
  /** The JSON value; undefined for 304. */
  readonly body: unknown;
}

/**
 * A response that the service does not send: another server has answered, or changed what the service sent. Its message
 * names the address and what came.
 */
export class UnexpectedResponse extends Error {
  override readonly name = 'UnexpectedResponse';

  /** Takes the message, the status that came, and after how many seconds the request may be sent again. */
  constructor(
    message: string,
    readonly status: number,
    readonly retryAfter: number | undefined,
  ) {
    super(message);
  }
}

const MAX_EXCERPT_LENGTH = 80;

/**
 * Returns what was served.
 * @throws ProblemError for a problem of the service; UnexpectedResponse, which says what came, for anything else.
 */
export function readResponse(response: FetchResponse, text: string, request: string, expected: Expected): Served {
  const { status, headers } = response;
  const etag = headers.get('ETag');
  const retryAfter = secondsOf(headers.get('Retry-After'));
  const type = headers.get('Content-Type') ?? '';
  const body = jsonOf(text);
  if (status === 304 && expected.mayBeUnchanged) return { etag, body: undefined };
  if (status >= 400 && /^application\/problem\+json\b/i.test(type) && isProblem(body))
    throw new ProblemError(body, retryAfter);
  const isJson = /^application\/json\b/i.test(type);
  if (status === expected.status && isJson && expected.isBody(body)) return { etag, body };
  const came = redirectOf(response, request) ?? whatCame(status, type, text, expected);
  throw new UnexpectedResponse(`${request} ${came}`, status, retryAfter);
}

/** Returns a sentence about a redirect; undefined for another response. A browser hides status and address of one. */
function redirectOf({ status, type, headers }: FetchResponse, request: string): string | undefined {
  if (type === 'opaqueredirect')
    return 'was redirected to an address that the browser does not tell; baseUrl must lead to the API itself';
  const location = headers.get('Location');
  if (status < 300 || status > 399 || location === null) return undefined;
  const [, from = ''] = request.split(' ');
  const target = URL.canParse(location, from) ? new URL(location, from).href : location;
  return `was redirected (${status}) to ${target}; baseUrl must lead to the API itself`;
}

function whatCame(status: number, type: string, text: string, { status: wanted, what }: Expected): string {
  const content = type === '' ? 'no content type' : type;
  const start = JSON.stringify(text.slice(0, MAX_EXCERPT_LENGTH).replace(/\s+/g, ' '));
  const body = text === '' ? 'an empty body' : `a body of ${text.length} characters that begins ${start}`;
  return (
    `returned ${status} with ${content} and ${body}; expected was ${wanted} with application/json and ${what}. ` +
    'Is baseUrl right, and does nothing in between change responses?'
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function has(value: unknown, type: 'string' | 'number', names: readonly string[]): boolean {
  const members = value as Readonly<Record<string, unknown>> | null;
  return typeof value === 'object' && names.every((name) => typeof members?.[name] === type);
}

function isProblem(body: unknown): body is Problem {
  if (!has(body, 'string', ['code', 'title', 'detail', 'instance']) || !has(body, 'number', ['status'])) return false;
  const { errors = [] } = body as Partial<Problem>;
  return Array.isArray(errors) && errors.every((error) => has(error, 'string', ['code', 'detail']));
}

export function isAutomation(body: unknown): body is Automation {
  const texts = ['id', 'title', 'description', 'currency', 'category_id', 'developer_id', 'created_at', 'updated_at'];
  return has(body, 'string', texts) && has(body, 'number', ['price']);
}

export function isAutomationList(body: unknown): body is AutomationList {
  const isItem = (item: unknown) => has(item, 'string', ['id', 'title']) && has(item, 'number', ['price']);
  return has(body, 'number', ['total', 'page']) && isArrayOf(body, isItem);
}

export function isCategoryList(body: unknown): body is CategoryList {
  const isItem = (item: unknown) => has(item, 'string', ['id', 'name']) && has(item, 'number', ['automation_count']);
  return has(body, 'number', ['total']) && isArrayOf(body, isItem);
}

function isArrayOf(body: unknown, isItem: (item: unknown) => boolean): boolean {
  const { data } = body as { readonly data?: unknown };
  return Array.isArray(data) && data.every(isItem);
}

/** Returns the seconds of a `Retry-After`, which is a number or a date (RFC 9110, section 10.2.3). */
function secondsOf(field: string | null): number | undefined {
  if (field === null) return undefined;
  if (/^[0-9]+$/.test(field)) return Number(field);
  const until = Date.parse(field);
  return Number.isNaN(until) ? undefined : Math.max(0, (until - Date.now()) / 1_000);
}

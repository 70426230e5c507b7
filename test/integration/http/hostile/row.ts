import type { Slug } from './judge.js';

/**
 * One hostile request and the answer that it must get. In texts `{full}`, `{id}` and the like stand for what
 * the run knows: keys by what they may (`full`, `reader`, `writer`) or why they may nothing (`revoked`, `expired`,
 * `unknown`, `typo`), the id of an automation on sale, of one that is `gone`, an entity tag, an idempotency key that
 * was used.
 */
export interface Row {
  readonly name: string;
  readonly status: number;
  readonly slug?: Slug;
  /** GET by default. */
  readonly method?: string;
  readonly target?: string;
  /** Beside `Host` and `Authorization: Bearer {full}`, which an undefined value leaves out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Buffer;
  /** All of the bytes, instead of method, target, headers and body. */
  readonly wire?: string | Buffer;
  /** Exactly the pointers or parameters that `errors` names. */
  readonly fields?: readonly string[];
  /** Headers that the answer has; `null` is one that it must not have. */
  readonly answer?: Readonly<Record<string, string | null>>;
  /** Whether the server is to close, because what comes next cannot be told from what came. */
  readonly closes?: boolean;
}

type More = Omit<Row, 'name' | 'status' | 'slug'>;

/** A row that is let through. */
export function passes(name: string, status: number, more: More): Row {
  return { name, status, ...more };
}

export function refused(name: string, status: number, slug: Slug, more: More): Row {
  return { name, status, slug, ...more };
}

export const AUTOMATIONS = '/api/automations';

export const DRAFT = {
  title: 'Hostile',
  description: 'Sent by a test.',
  price: 9.99,
  category_id: 'ai-agents',
} as const;

/** The body of a create that is right but for these members. */
export function draft(changes: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ ...DRAFT, ...changes });
}

/** A create with this body. */
export function create(body: string | Buffer, headers: Row['headers'] = {}): More {
  return { method: 'POST', target: AUTOMATIONS, headers: { 'Content-Type': 'application/json', ...headers }, body };
}

/** Bytes that begin as a request should: `rest` is everything after the header Authorization. */
export function wire(line: string, rest = '\r\n'): string {
  return `${line}\r\nHost: market.example\r\nAuthorization: Bearer {full}\r\n${rest}`;
}

/** A body in one chunk. */
export function chunked(body: string): string {
  return `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;
}

/** A body with white space after it, of exactly this many bytes. */
export function padded(body: string, size: number): string {
  return body + ' '.repeat(size - Buffer.byteLength(body));
}

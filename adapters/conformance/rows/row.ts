import { randomBytes } from 'node:crypto';
import { newKeyText } from '../../../domain/api-key.js';
import type { CreateAutomation } from '../../client/index.js';
import type { Slug } from '../answer.js';

/**
 * One request and the answer that the contract promises. In texts, `{full}`, `{id}` and the like stand for what the
 * runner of the rows knows (`Name`).
 */
export interface Row {
  /** A sentence that makes sense alone. */
  readonly title: string;
  /** The request in a few words; the title begins with it. */
  readonly name: string;
  readonly status: number;
  readonly slug?: Slug;
  /** GET by default. */
  readonly method?: string;
  /** Under any base, or outside of them; the kit asks those under `/api` alone. */
  readonly target?: string;
  /** In addition to `Authorization: Bearer {full}`, which an undefined value leaves out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Buffer;
  /** White space follows the body until it has this many bytes. */
  readonly bodyBytes?: number;
  /** Exactly the pointers or parameters that `errors` names. */
  readonly fields?: readonly string[];
  /** Headers that the answer has; `null` is one that it must not have. */
  readonly answer?: Readonly<Record<string, string | null>>;
}

/**
 * What a text may name: keys by what they permit (`full`, `reader`, `writer`) or why they permit nothing (`revoked`,
 * `expired`, `unknown`, `typo`), a category, the id of an automation on sale, also in `upper` case, and of one that is
 * `gone`, the entity tag of the first (`etag`), without its quotes (`bare`) and its beginning (`half`), and an
 * idempotency key that was `used` for the draft.
 */
export type Name =
  | 'full'
  | 'reader'
  | 'writer'
  | 'revoked'
  | 'expired'
  | 'unknown'
  | 'typo'
  | 'category'
  | 'id'
  | 'upper'
  | 'gone'
  | 'etag'
  | 'bare'
  | 'half'
  | 'used';

/** What the names stand for at one server. A row that needs one that is missing cannot be sent there. */
export type Names = { readonly [Each in Name]?: string | undefined };

/** Returns these names, and those that they imply. */
export function impliedNames({ full, id, etag }: Pick<Names, 'full' | 'id' | 'etag'>): Names {
  return {
    ...{ full, id, upper: id?.toUpperCase() },
    ...{ etag, bare: etag?.slice(1, -1), half: etag?.slice(1, 12) },
    ...{ unknown: newKeyText(randomBytes), typo: full && withTypo(full) },
  };
}

/** Returns undefined for a credential that is no key of the usual form. */
function withTypo(key: string): string | undefined {
  if (!/^amk_[0-9A-Za-z]{36}$/.test(key)) return undefined;
  return `${key.slice(0, 20)}${key[20] === 'x' ? 'y' : 'x'}${key.slice(21)}`;
}

/** What a row has in addition to its name and the answer. */
export type More = Omit<Row, 'title' | 'name' | 'status' | 'slug'>;

/** A request that is let through. */
export function passes(name: string, status: number, more: More): Row {
  return { title: titleOf(name, String(status)), name, status, ...more };
}

/** A request that is refused with a problem document. */
export function refused(name: string, status: number, slug: Slug, more: More): Row {
  return { title: titleOf(name, `${status} ${slug}`), name, status, slug, ...more };
}

function titleOf(name: string, answer: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} is answered with ${answer}`;
}

export const AUTOMATIONS = '/api/automations';

/** A create that is right. */
export const DRAFT = {
  title: 'Conformance check',
  description: 'Created by a conformance check; it may be withdrawn.',
  price: 9.99,
  category_id: '{category}',
} as const satisfies CreateAutomation;

/** Returns the body of a create that is right but for these members; undefined leaves one out. */
export function draft(changes: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ ...DRAFT, ...changes });
}

export function create(body: string | Buffer, headers: Row['headers'] = {}): More {
  return { method: 'POST', target: AUTOMATIONS, headers: { 'Content-Type': 'application/json', ...headers }, body };
}

/** Returns the text with everything in the place of its names that is known. */
export function filled(text: string, names: Names): string {
  const known = new Map<string, string | undefined>(Object.entries(names));
  return text.replaceAll(/\{([a-z]+)\}/g, (whole, name: string) => known.get(name) ?? whole);
}

export function bodyOf({ body = '', bodyBytes = 0 }: Row, names: Names): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(filled(body, names)) : body;
  return Buffer.concat([bytes, Buffer.alloc(Math.max(0, bodyBytes - bytes.length), ' ')]);
}

/** Returns the headers as they are sent, without those of the body. */
export function headersOf({ headers }: Row, names: Names): readonly (readonly [name: string, value: string])[] {
  const all: Row['headers'] = { Authorization: 'Bearer {full}', ...headers };
  return Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, filled(value, names)]]));
}

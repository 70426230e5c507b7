import { DomainError } from '../../domain/errors.js';
import { requestKey, type IdempotencyKey, IDEMPOTENCY_KEY_RULE } from '../../domain/idempotency.js';
import type { Context } from '../edge/context.js';
import { bodyCollector } from '../edge/middleware/collect-body.js';
import { MAX_BODY_BYTES } from '../edge/middleware/protocol-checks.js';
import { Problem } from '../edge/problems/problem.js';
import { isLarge, MAX_CREATE_BYTES } from '../edge/middleware/large-bodies.js';

const TOO_LARGE = 'The body must be at most 64 KiB.';
const TOO_LARGE_FILE = 'The body must be at most 2 MiB with a file, and 64 KiB without one.';
const collect = bodyCollector('application/json', MAX_BODY_BYTES, TOO_LARGE);
const collectFile = bodyCollector('application/json', MAX_CREATE_BYTES, TOO_LARGE_FILE);

/** A parameter of a Content-Type. */
const PARAMETER = /;[ \t]*([^;="]*)(?:=[ \t]*("(?:[^"\\]|\\.)*"|[^;]*))?/g;

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the idempotency key. @throws Problem when the headers rule the body out, before a byte of it is read. */
export function checkBodyHeaders({ req }: Context, maxBytes = MAX_BODY_BYTES): IdempotencyKey | undefined {
  const { 'content-type': type = '', 'content-encoding': encoding, 'content-length': length = '0' } = req.headers;
  if (!isJson(type)) throw new Problem('unsupported-media-type', 'The body must be application/json in UTF-8.');
  if (encoding !== undefined)
    throw new Problem('unsupported-content-encoding', 'The body must be sent without Content-Encoding.');
  const key = parseIdempotencyKey(req.headers['idempotency-key']?.toString());
  if (Number(length) > maxBytes)
    throw new Problem('payload-too-large', maxBytes === MAX_BODY_BYTES ? TOO_LARGE : TOO_LARGE_FILE);
  return key;
}

/** Reads every charset that is named: of two, another reader may take the other one. */
function isJson(contentType: string): boolean {
  if (contentType === 'application/json') return true;
  const [type = ''] = contentType.split(';', 1);
  const parameters = Array.from(contentType.matchAll(PARAMETER), ([, name = '', value = '']) => ({ name, value }));
  const charsets = parameters.filter(({ name }) => name.trim().toLowerCase() === 'charset');
  return type.trim().toLowerCase() === 'application/json' && charsets.every(({ value }) => isUtf8(value.trim()));
}

function isUtf8(charset: string): boolean {
  return /^utf-?8$/i.test(charset.replace(/^"(.*)"$/, '$1'));
}

/**
 * Returns the JSON value of a body that may have a file, where `fileIn` finds it. A body that does not tell its length
 * is small. @throws Problem when it is large, and has none.
 */
export async function readJsonWithFile(ctx: Context, fileIn: (json: unknown) => unknown): Promise<unknown> {
  if (!isLarge(ctx)) return readJson(ctx);
  const json = jsonIn(await collectFile(ctx));
  const file = fileIn(json);
  if (typeof file !== 'object' || file === null) throw new Problem('payload-too-large', TOO_LARGE_FILE);
  return json;
}

/** Returns the JSON value of the body (RFC 8259). Of members with the same name the last counts. */
export async function readJson(ctx: Context): Promise<unknown> {
  const json = jsonIn(await collect(ctx));
  if (json !== undefined) return json;
  throw new Problem('malformed-json', 'The body must be a JSON text in UTF-8, without a byte order mark.');
}

/** Returns undefined for bytes that are no JSON. */
function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Parses a key that is bare, or a string of RFC 8941 (IETF draft "The Idempotency-Key HTTP Header Field"). Node joins
 * two with a space.
 */
function parseIdempotencyKey(field: string | undefined): IdempotencyKey | undefined {
  if (field === undefined) return undefined;
  try {
    return requestKey(/^"(.*)"$/.exec(field)?.[1] ?? field);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new Problem('idempotency-key-invalid', `Idempotency-Key ${IDEMPOTENCY_KEY_RULE}, and be sent once.`);
  }
}

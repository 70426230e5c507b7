import type { Slug } from '../../../../adapters/conformance/answer.js';
import * as table from '../../../../adapters/conformance/rows/row.js';

export const AUTOMATIONS = table.AUTOMATIONS;

/** A row that only our own server promises: it is about bytes that no HTTP client sends. */
export interface WireRow extends table.Row {
  /** All of the bytes, instead of method, target, headers and body. */
  readonly wire?: string | Buffer;
  /** Whether the server closes, because what comes next cannot be told from what came. */
  readonly closes?: boolean;
}

type Bytes = Pick<WireRow, 'wire' | 'closes'>;

/** Bytes that are let through. */
export function passes(name: string, status: number, bytes: Bytes): WireRow {
  return { ...table.passes(name, status, {}), ...bytes };
}

/** Bytes that are refused with a problem document. */
export function refused(name: string, status: number, slug: Slug, bytes: Bytes): WireRow {
  return { ...table.refused(name, status, slug, {}), ...bytes };
}

export const DRAFT = { ...table.DRAFT, category_id: 'ai-agents' } as const;

/** Returns the body of a create that is right but for these members. */
export function draft(changes: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ ...DRAFT, ...changes });
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

/** Returns a draft with this literal as its price. */
export function withPrice(literal: string): string {
  return draft({ price: 0 }).replace('"price":0', `"price":${literal}`);
}

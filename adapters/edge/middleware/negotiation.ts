import accepts from 'accepts';
import type { Context } from '../context.js';

/** Negotiation takes a time that grows with the square of the header. */
const MAX_LENGTH = 1024;

/**
 * Every parameter of a media type but `q`. Our types have none to choose from, so such a parameter says nothing about
 * what is accepted.
 */
const PARAMETER = /;[ \t]*(?!q[ \t]*=)[^;,="]*(?:=[ \t]*(?:"(?:[^"\\]|\\.)*"?|[^;,]*))?/gi;

/** Returns a header that is negotiated; a longer one than any client needs counts as absent. */
export function preferences(ctx: Context, name: 'Accept' | 'Accept-Language'): string {
  const header = ctx.get(name).trim();
  if (header.length > MAX_LENGTH) return '';
  return name === 'Accept' ? header.replace(PARAMETER, '') : header;
}

/** Returns the type that the client prefers; the first one if it takes any, undefined if it takes none of them. */
export function preferredType(ctx: Context, ...types: readonly string[]): string | undefined {
  const accepted = preferences(ctx, 'Accept');
  if (accepted === '' || accepted === '*/*') return types[0];
  // Of the request it reads the headers alone.
  const request = { headers: { accept: accepted } } as Context['req'];
  const preferred = accepts(request).types([...types]);
  return typeof preferred === 'string' ? preferred : undefined;
}

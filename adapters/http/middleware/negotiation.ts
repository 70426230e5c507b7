import type { Context } from '../context.js';

/** Negotiation takes a time that grows with the square of the header. */
const MAX_LENGTH = 1024;

/** Returns a header that is negotiated; a longer one than any client needs counts as absent. */
export function preferences(ctx: Context, name: 'Accept' | 'Accept-Language'): string {
  const header = ctx.get(name).trim();
  return header.length > MAX_LENGTH ? '' : header;
}

/** Returns the type that the client prefers; the first one if it takes any, undefined if it takes none of them. */
export function preferredType(ctx: Context, ...types: readonly string[]): string | undefined {
  const accepted = preferences(ctx, 'Accept');
  if (accepted === '' || accepted === '*/*') return types[0];
  return ctx.accepts(...types) || undefined;
}

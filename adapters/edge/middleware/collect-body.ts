import bodyParser from 'koa-bodyparser';
import type { Context } from '../context.js';
import { Problem } from '../problems/problem.js';

const ALREADY_READ =
  'the body of the request was read before the marketplace could read it; mount the marketplace before any body parser';

type Collect = (ctx: Context) => Promise<Buffer>;

/**
 * Returns a function that collects the bytes of a body of this media type, up to a limit. The body parser only
 * collects: as a parser of JSON it would accept broken UTF-8 and an empty body, and as one of forms make trees of
 * names.
 */
export function bodyCollector(type: string, maxBytes: number, tooLarge: string): Collect {
  const options = {
    enableTypes: ['text'],
    extendTypes: { text: [type] },
    textLimit: `${maxBytes}b`,
    encoding: 'binary',
  };
  const collect = bodyParser(options);
  return async (ctx) => {
    if (ctx.request.body !== undefined || ctx.req.readableEnded) throw new Error(ALREADY_READ);
    if (Number(ctx.req.headers['content-length'] ?? 0) > maxBytes) throw new Problem('payload-too-large', tooLarge);
    if (ctx.req.destroyed) throw endedEarly();
    try {
      await collect(ctx, async () => undefined);
    } catch (error) {
      throw problemOf(error, tooLarge) ?? error;
    }
    const { body } = ctx.request;
    return Buffer.from(typeof body === 'string' ? body : '', 'latin1');
  };
}

/** Reads only the `type` of an error of koa-bodyparser (http-errors of raw-body): the error carries the raw body. */
function problemOf(error: unknown, tooLarge: string): Problem | undefined {
  const type = error instanceof Error && 'type' in error ? error.type : undefined;
  if (type === 'entity.too.large') return new Problem('payload-too-large', tooLarge);
  if (type === 'request.aborted' || type === 'request.size.invalid') return endedEarly();
  return undefined;
}

function endedEarly(): Problem {
  return new Problem('malformed-request', 'The body ended before its declared length.');
}

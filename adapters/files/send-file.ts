import type { UseCases } from '../../application/core.js';
import { mediaTypeOf, type AutomationFile } from '../../domain/file.js';
import { isWanted } from '../edge/conditional.js';
import type { Context } from '../edge/context.js';
import { Problem } from '../edge/problems/problem.js';
import { send } from '../edge/send.js';

const TEXT_TYPE = 'text/plain; charset=utf-8';
const GONE = 'This automation was withdrawn, and its file is gone.\n';
const REFUSED = 'An operator has refused this file, and nobody can get it any more.\n';

interface Asked {
  readonly id: string;
  readonly caching: string;
}

/** Sends the file of an automation on sale. It is read again when it was replaced while it was read. */
export async function sendFile(ctx: Context, catalogue: UseCases['catalogue'], asked: Asked): Promise<void> {
  for (let tries = 1; tries <= 2; tries += 1) if (await isSent(ctx, catalogue, asked)) return;
  throw new Problem('unavailable', 'The file cannot be read at the moment. Try again later.');
}

async function isSent(ctx: Context, catalogue: UseCases['catalogue'], { id, caching }: Asked): Promise<boolean> {
  const found = await catalogue.read(id);
  if (found?.withdrawn !== undefined) {
    send(ctx, TEXT_TYPE, GONE, 410);
    return true;
  }
  const file = found?.automation.file ?? undefined;
  if (found === undefined || file === undefined)
    throw new Problem('not-found', 'There is no automation with this id that has a file.');
  const needsContent = isWanted(ctx, { etag: `"${file.sha256}"`, caching }) && ctx.method !== 'HEAD';
  const content = needsContent ? await catalogue.readFile(found.automation) : undefined;
  if (content === undefined && (await catalogue.isFileRefused(found.automation))) {
    ctx.remove('ETag');
    send(ctx, TEXT_TYPE, REFUSED, 410);
    return true;
  }
  if (content === undefined && needsContent) return false;
  if (ctx.status === 304) return true;
  setHeaders(ctx, file);
  if (content === undefined) ctx.length = file.size;
  else ctx.body = Buffer.from(content.buffer, content.byteOffset, content.length);
  return true;
}

/** The name alone decides the type. */
function setHeaders(ctx: Context, { name }: AutomationFile): void {
  const mediaType = mediaTypeOf(name);
  ctx.status = 200;
  ctx.attachment(name);
  ctx.set('Content-Type', mediaType === 'text/plain' ? TEXT_TYPE : mediaType);
}

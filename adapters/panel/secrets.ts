import { DomainError, type ErrorCode } from '../../application/index.js';
import { sentence } from '../edge/middleware/problem-documents.js';
import { Refusal } from './messages.js';
import type { RequestOf } from './request.js';

/**
 * Makes a key, or an app with its secret, which only the response to its form shows. Refuses a form that was sent
 * before, and one with which there would be too many.
 */
export async function makeSecret<Made>(
  request: RequestOf<'member'>,
  make: () => Promise<Made>,
  { alreadySent, tooMany }: { readonly alreadySent: string; readonly tooMany: ErrorCode },
): Promise<Made> {
  const made = await request.once(() => make().catch((error: unknown) => refuseIf(error, tooMany)));
  if (made === undefined) throw new Refusal({ form: alreadySent }, 409);
  return made;
}

function refuseIf(error: unknown, tooMany: ErrorCode): never {
  if (!(error instanceof DomainError) || error.code !== tooMany) throw error;
  throw new Refusal({ form: sentence(error.message) }, 409);
}

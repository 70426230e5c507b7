import { Busboy } from '@fastify/busboy';
import { MAX_FILE_BYTES, type FileDraft } from '../../domain/file.js';
import type { Context } from '../edge/context.js';
import { bodyCollector } from '../edge/middleware/collect-body.js';
import { isLarge, LargeBodies, MAX_CREATE_BYTES } from '../edge/middleware/large-bodies.js';
import { MAX_BODY_BYTES } from '../edge/middleware/protocol-checks.js';
import { Problem } from '../edge/problems/problem.js';
import { fieldOf, incomplete, MAX_FIELDS, MAX_FORM_BYTES, readForm, tooLarge, type Form } from '../web/form.js';
import { Refusal } from './messages.js';
import type { Panel } from './panel.js';
import { TEXTS } from './texts/texts.js';

const TYPE = 'multipart/form-data';

const collectSmall = bodyCollector(TYPE, MAX_BODY_BYTES, 'The form is too large.');
const collectLarge = bodyCollector(TYPE, MAX_CREATE_BYTES, 'The form is too large.');

/** A form, and the files that were chosen in it: one, unless a program has sent it. */
export interface Upload {
  readonly form: Form;
  readonly files: readonly FileDraft[];
}

/**
 * Reads a form that may have a file. A large one is read of a person who is signed in alone, and counts with the large
 * bodies of the API. After a sign-in the form comes without its file.
 * @throws Problem for another type, too many bytes or fields, or a broken form
 */
export async function readUpload(ctx: Context, { quotas }: Panel): Promise<Upload> {
  if (ctx.request.type !== TYPE) return { form: await readForm(ctx), files: [] };
  if (ctx.req.headers['content-encoding'] !== undefined)
    throw new Problem('unsupported-media-type', `The body must be ${TYPE}.`);
  const account = ctx.state.signedIn?.account;
  if (!isLarge(ctx) || account === undefined) return parsed(ctx, await collectSmall(ctx));
  return LargeBodies.of(quotas).during(ctx, account.id, async () => parsed(ctx, await collectLarge(ctx)));
}

/** Returns the file of a form. @throws Refusal when there are several */
export function onlyFile(files: readonly FileDraft[]): FileDraft | undefined {
  if (files.length > 1) throw new Refusal({ file: TEXTS.form.oneFile });
  return files[0];
}

async function parsed(ctx: Context, body: Buffer): Promise<Upload> {
  await ctx.state.ownTurn();
  return new Promise((resolve, reject) => {
    const form: Form = new URLSearchParams();
    const files: FileDraft[] = [];
    const refuse = () => reject(tooLarge());
    const parser = parserOf(ctx.req.headers['content-type'] ?? '');
    parser.on('field', (name, value, isNameCut, isValueCut) => {
      if (isNameCut || isValueCut) refuse();
      else form.append(name, fieldOf(value));
    });
    parser.on('file', (_field, stream, name) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('error', reject);
      // A field in which nothing was chosen comes as a file without a name.
      stream.on('end', () => name !== '' && files.push({ name, bytes: Buffer.concat(parts) }));
    });
    for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const) parser.on(limit, refuse);
    parser.on('error', () => reject(incomplete()));
    parser.on('finish', () => resolve({ form, files }));
    parser.end(body);
  });
}

/** A file of one byte too many stays one, and the core says so. */
function parserOf(type: string) {
  const limits = { fields: MAX_FIELDS, fieldSize: MAX_FORM_BYTES, files: 2, fileSize: MAX_FILE_BYTES + 1 };
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: { ...limits, parts: MAX_FIELDS, fieldNameSize: 100 },
      isPartAFile: (_field, _type, name) => name !== undefined,
    });
  } catch {
    throw incomplete();
  }
}

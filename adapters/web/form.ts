import { LRUCache } from 'lru-cache';
import { bodyCollector } from '../edge/middleware/collect-body.js';
import { Problem } from '../edge/problems/problem.js';
import type { Context } from '../edge/context.js';

/**
 * A description has 10,000 characters of up to four bytes, each sent as three (`%F0`). The limit is a quarter as much
 * again, so that a longer description gets a message next to its field. The page that shows the form again is below
 * 1 MB: HTML writes a byte in six at most.
 */
export const MAX_FORM_BYTES = 150 * 1024;

/**
 * No form has more than ten fields. The page that keeps them during a sign-in writes each: of a form with 95,000 it had
 * 4 MB, and nothing else was done for 0.7 s.
 */
export const MAX_FIELDS = 100;

const MAX_SUBMITTED_FORMS = 10_000;

const TYPE = 'application/x-www-form-urlencoded';

const TOO_LARGE = 'The form is too large.';
const collect = bodyCollector(TYPE, MAX_FORM_BYTES, TOO_LARGE);

/** The fields of a form. A line break is a line feed, also the soft one of word processors (U+000B). */
export type Form = URLSearchParams;

/**
 * Reads the form in the body (URL standard, application/x-www-form-urlencoded).
 * @throws Problem for another type, too many bytes or fields, or a broken form
 */
export async function readForm(ctx: Context): Promise<Form> {
  if (ctx.request.type !== TYPE || ctx.req.headers['content-encoding'] !== undefined)
    throw new Problem('unsupported-media-type', `The body must be ${TYPE}.`);
  const body = await collect(ctx);
  await ctx.state.ownTurn();
  return parse(body.toString('latin1'));
}

const ASCII = /^[\x21-\x7E]*$/;

/** Browsers send only ASCII whose escapes are UTF-8; the parser would read other bytes as something else. */
function parse(text: string): Form {
  if (text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) throw tooLarge();
  if (!ASCII.test(text) || !isDecodable(text)) throw incomplete();
  const form = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(text)) form.append(name, fieldOf(value));
  return form;
}

/** Returns what a field has, as forms keep it. */
export function fieldOf(value: string): string {
  return value.replace(/\r\n?|\v/g, '\n');
}

export function tooLarge(): Problem {
  return new Problem('payload-too-large', TOO_LARGE);
}

export function incomplete(): Problem {
  return new Problem('malformed-request', 'The form is incomplete.');
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Before the names of fields that the sign-in page keeps. */
const KEPT = 'kept.';

/** Fields that are not kept: secrets, and what belongs to one session. */
const NOT_KEPT = ['token', 'password', 'current', 'nameCurrent'];

type Fields = readonly (readonly [name: string, value: string])[];

/** Returns what the sign-in page keeps of a form, under the names that the fields have there. */
export function fieldsToKeep(form: Form): Fields {
  return [...form].filter(([name]) => !NOT_KEPT.includes(name)).map(([name, value]) => [`${KEPT}${name}`, value]);
}

/** Returns the fields that the sign-in page has kept, under the names that they have there. */
export function keptFields(form: Form): Fields {
  return [...form].filter(([name]) => name.startsWith(KEPT));
}

/** Returns the form that the sign-in page has kept; the form itself when it was not sent from there. */
export function keptIn(form: Form): Form {
  const kept = new URLSearchParams();
  for (const [name, value] of keptFields(form)) kept.append(name.slice(KEPT.length), value);
  return kept.size === 0 ? form : kept;
}

/** Returns the id that makes a form take effect only once; empty if it was sent without one. */
export function formIdOf(form: Form): string {
  return /^[0-9a-f-]{36}$/.exec(form.get('formId') ?? '')?.[0] ?? '';
}

/** The ids of the forms that this process received. A form that reaches two processes takes effect twice. */
export class SubmittedForms {
  readonly #ids = new LRUCache<string, true>({ maxSize: MAX_SUBMITTED_FORMS, sizeCalculation: () => 1 });

  /** Does what a form asks for; returns undefined if that was done before. A form without an id is always new. */
  async once<Result>(formId: string, act: () => Promise<Result>): Promise<Result | undefined> {
    if (this.#ids.has(formId)) return undefined;
    if (formId !== '') this.#ids.set(formId, true);
    try {
      return await act();
    } catch (error) {
      this.#ids.delete(formId);
      throw error;
    }
  }
}

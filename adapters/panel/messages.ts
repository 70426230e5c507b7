import { DomainError, type ErrorCode, type FieldError, type FieldErrorCode } from '../../application/index.js';
import type { Panel } from './panel.js';

/** One sentence per field, by the field's name; `form` for the whole form. */
export type Messages = Readonly<Record<string, string>>;

/** How a field is called, and sentences for people that replace those of the core. */
interface Wording {
  readonly label: string;
  readonly instead?: Partial<Record<FieldErrorCode, string>>;
  /** Default: the core's name of the field. */
  readonly field?: string;
}

export type Wordings = Readonly<Record<string, Wording>>;

/** A form that is refused: it is shown again, with messages. */
export class Refusal extends Error {
  constructor(
    readonly messages: Messages,
    readonly status = 422,
  ) {
    super('the form is refused');
  }
}

/** Returns a message for the first broken rule of each field. */
export function messagesOf(fields: readonly FieldError[], wordings: Wordings): Messages {
  const messages: Record<string, string> = {};
  for (const error of fields) {
    const { field = error.field, ...wording } = wordings[error.field] ?? { label: error.field };
    messages[field] ??= wording.instead?.[error.code] ?? `${wording.label} ${error.detail}.`;
  }
  return messages;
}

/** What a form says in place of the core. */
export interface Sentences {
  readonly wordings?: (panel: Panel) => Wordings;
  /** For the whole form, by the code of the error. */
  readonly conflicts?: Partial<Record<ErrorCode, string>>;
}

/** Returns an error as the refusal of a form. @throws any error that no form can tell */
export function refusalOf(error: unknown, panel: Panel, { wordings, conflicts = {} }: Sentences): Refusal {
  if (error instanceof Refusal) return error;
  if (!(error instanceof DomainError)) throw error;
  const sentence = conflicts[error.code];
  if (sentence !== undefined) return new Refusal({ form: sentence });
  if (error.fields.length > 0) return new Refusal(messagesOf(error.fields, wordings?.(panel) ?? {}));
  throw error;
}

import { DomainError, type FieldError, type FieldErrorCode } from '../../application/index.js';

/** What stands beside a field: one sentence, by the field's name. */
export type Messages = Readonly<Record<string, string>>;

/** What a field is called on the page, and what is said in place of the core's sentence, which is made for programmers. */
interface Wording {
  readonly label: string;
  readonly instead?: Partial<Record<FieldErrorCode, string>>;
}

export type Wordings = Readonly<Record<string, Wording>>;

/** Of each field the first broken rule. */
export function messagesOf(fields: readonly FieldError[], wordings: Wordings): Messages {
  const messages: Record<string, string> = {};
  for (const error of fields) messages[error.field] ??= messageOf(error, wordings[error.field]);
  return messages;
}

/** What the core says of the fields of a form; any other failure passes as it is. */
export function messagesIn(error: unknown, wordings: Wordings): Messages {
  if (error instanceof DomainError && error.fields.length > 0) return messagesOf(error.fields, wordings);
  throw error;
}

function messageOf({ field, code, detail }: FieldError, wording: Wording = { label: field }): string {
  return wording.instead?.[code] ?? `${wording.label} ${detail}.`;
}

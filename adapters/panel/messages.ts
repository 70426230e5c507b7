import { DomainError, type FieldError, type FieldErrorCode } from '../../application/index.js';

/** One sentence per field, by the field's name. */
export type Messages = Readonly<Record<string, string>>;

/** The label of a field, and sentences for people that replace those of the core. */
interface Wording {
  readonly label: string;
  readonly instead?: Partial<Record<FieldErrorCode, string>>;
}

export type Wordings = Readonly<Record<string, Wording>>;

/** Returns a message for the first broken rule of each field. */
export function messagesOf(fields: readonly FieldError[], wordings: Wordings): Messages {
  const messages: Record<string, string> = {};
  for (const error of fields) messages[error.field] ??= messageOf(error, wordings[error.field]);
  return messages;
}

/** Returns the messages for a form that the core refused. @throws any other error */
export function messagesIn(error: unknown, wordings: Wordings): Messages {
  if (error instanceof DomainError && error.fields.length > 0) return messagesOf(error.fields, wordings);
  throw error;
}

function messageOf({ field, code, detail }: FieldError, wording: Wording = { label: field }): string {
  return wording.instead?.[code] ?? `${wording.label} ${detail}.`;
}

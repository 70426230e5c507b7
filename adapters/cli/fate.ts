import { DomainError, type FieldError } from '../../domain/errors.js';
import { messageOf } from './json-input.js';
import type { Line } from './lines.js';

/** What became of a line of an import, and if it failed, why. */
export interface Fate {
  readonly line: Line;
  readonly is: 'stored' | 'already there' | 'failed';
  readonly why?: string;
}

/** A line of which the store did not tell what became. */
export interface Unsettled {
  readonly line: Line;
  readonly error: unknown;
}

const MEMBER_OF: Readonly<Record<string, string>> = {
  categoryId: 'category_id',
  developerId: 'developer_id',
  createdAt: 'created_at',
};

export function whyOf(error: Error): string {
  const fields = error instanceof DomainError ? error.fields : [];
  return fields.length > 0 ? fields.map(sentenceOf).join('; ') : error.message;
}

export function sentenceOf({ field, detail }: FieldError): string {
  return `${MEMBER_OF[field] ?? field} ${detail}`;
}

export function storeFailed({ line, error }: Unsettled): Error {
  const message = `the store failed after ${line.number - 1} lines: ${messageOf(error)}; import the file again to go on from there`;
  return new Error(message, { cause: error });
}

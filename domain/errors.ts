/** The failures that a caller can act on. Closed: the compiler checks that a driving adapter handles each of them. */
export type ErrorKind =
  /** One or more values break a rule; `fields` names each of them. */
  | 'invalid'
  /** The caller lacks a scope; `code` is the missing scope. */
  | 'forbidden'
  | 'not-found'
  /** A new value collides with a stored one. */
  | 'conflict'
  /** An idempotency key was used before, with other content. */
  | 'idempotency-key-reused'
  /** A store or an issuer cannot be reached. Nothing was done. */
  | 'unavailable'
  /** A write was sent and no answer came. It may have been done. */
  | 'outcome-unknown';

/** The rule that was broken, for programs. Closed, so that the compiler checks every comparison. */
export type ErrorCode =
  // invalid
  | 'invalid-fields'
  | 'developer-id'
  | 'idempotency-key'
  | 'key-lifetime'
  | 'key-overlap'
  | 'role'
  | 'scopes'
  | 'unknown-currency'
  // forbidden: the missing scope
  | 'automations:read'
  | 'automations:write'
  | 'library:read'
  // not-found
  | 'no-such-app'
  | 'no-such-automation'
  | 'no-such-developer'
  | 'no-such-invitation'
  | 'no-such-category'
  | 'no-such-connection'
  | 'no-such-key'
  | 'no-such-report'
  | 'no-such-session'
  // conflict
  | 'app-has-no-secret'
  | 'duplicate-category'
  | 'category-in-use'
  | 'duplicate-id'
  | 'duplicate-key'
  | 'duplicate-session'
  | 'key-has-ended'
  | 'last-operator'
  | 'no-sign-in'
  | 'other-currency'
  | 'public-name-taken'
  | 'revised-meanwhile'
  | 'sign-in-name-taken'
  | 'too-many-apps'
  | 'too-many-keys'
  // idempotency-key-reused
  | 'idempotency-key-reused'
  // unavailable
  | 'issuer-unavailable'
  | 'not-prepared'
  | 'search-incomplete'
  | 'search-off'
  | 'search-too-slow'
  | 'store-closed'
  | 'store-damaged'
  | 'store-full'
  | 'store-read-only'
  | 'store-unavailable'
  | 'too-many-searches'
  | 'too-many-sign-ins'
  // outcome-unknown
  | 'commit-failed'
  | 'no-answer';

/** One broken rule: the field, a code for programs, and a sentence that says what is allowed. */
export interface FieldError {
  readonly field: string;
  readonly code: FieldErrorCode;
  readonly detail: string;
}

/** Every kind of rule that a field can break. */
export const FIELD_ERROR_CODES = [
  'required',
  'wrong-type',
  'too-short',
  'too-long',
  'out-of-range',
  'invalid-format',
  'invalid-text',
  'unknown-value',
  'too-common',
  'taken',
  /** Only what costs nothing may have it. */
  'not-free',
  /** It has what looks like a secret. */
  'contains-secret',
  /** An operator has refused the file for everyone. */
  'refused-file',
  /** A rule of the host that embeds the market. */
  'host-rule',
] as const;

/** The kind of rule that a field breaks. */
export type FieldErrorCode = (typeof FIELD_ERROR_CODES)[number];

/** Marks the errors of every copy of this package, and no class of a host that has the same name. */
const BRAND = Symbol.for('automation-marketplace/DomainError');

/**
 * Returns whether this is an error of the core, of any copy of this package: a storage of a host may have been loaded
 * with another copy than the service. It never throws, whatever a host throws.
 */
export function isDomainError(value: unknown): value is DomainError {
  try {
    return typeof value === 'object' && value !== null && BRAND in value;
  } catch {
    return false;
  }
}

/** The only error that the core throws on purpose. Any other error is a defect. */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true });
  }

  /** As `isDomainError`. */
  static override [Symbol.hasInstance](value: unknown): value is DomainError {
    return isDomainError(value);
  }

  /** Takes the kind, which decides the kind of answer; a code for programs, a message for people, fields for forms. */
  constructor(
    readonly kind: ErrorKind,
    readonly code: ErrorCode,
    message: string,
    readonly fields: readonly FieldError[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Returns the error of a write in a store that has not been prepared. `call` is what prepares it. */
export function notPrepared(call = 'prepare({ currency }) of the storage'): DomainError {
  const message = `nothing was stored, since the store has not been prepared: first call ${call}`;
  return new DomainError('unavailable', 'not-prepared', message);
}

/** Reports that one field breaks a rule. */
export type ReportViolation = (code: FieldErrorCode, detail: string) => void;

/** Collects the broken rules of several fields, to report all of them together. */
export class Violations {
  readonly fields: FieldError[] = [];

  field(field: string): ReportViolation {
    return (code, detail) => {
      this.fields.push({ field, code, detail });
    };
  }

  /** Returns the parsed value, or collects the rules that it breaks and returns undefined. */
  collect<Value>(parse: () => Value): Value | undefined {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.fields.push(...error.fields);
      return undefined;
    }
  }

  throwIfAny(what: string): void {
    if (this.fields.length > 0) throw new DomainError('invalid', 'invalid-fields', `${what} is not valid`, this.fields);
  }
}

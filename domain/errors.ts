/** What went wrong, as far as a caller can act on it. Closed: a driving adapter answers each kind, and the compiler sees that it does. */
export type ErrorKind =
  /** One or more values break a rule; `fields` names each of them. */
  | 'invalid'
  /** The caller lacks a scope; `code` is the scope. */
  | 'forbidden'
  | 'not-found'
  /** What is to be stored collides with what is there. */
  | 'conflict'
  /** An idempotency key comes again with other content. */
  | 'idempotency-key-reused'
  /** An idempotency key comes again before the fate of its first use is known. */
  | 'idempotency-in-progress'
  /** A store or an issuer is out of reach; nothing was done. */
  | 'unavailable'
  /** A write was sent and no answer came; it may have been done. */
  | 'outcome-unknown';

/** One broken rule: which field, a code for programs, a sentence that says what is allowed. */
export interface FieldError {
  readonly field: string;
  readonly code: FieldErrorCode;
  readonly detail: string;
}

/** Which kind of rule a field breaks. */
export type FieldErrorCode =
  | 'required'
  | 'wrong-type'
  | 'too-short'
  | 'too-long'
  | 'out-of-range'
  | 'invalid-format'
  | 'invalid-text'
  | 'unknown-value'
  | 'too-common'
  | 'taken';

/** The only error that the core throws on purpose. Anything else that leaves it is a defect. */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  /** `kind` is for whoever answers, `code` for programs, `message` for people, `fields` for forms. */
  constructor(
    readonly kind: ErrorKind,
    /** A stable name for the rule that was broken, for programs. */
    readonly code: string,
    message: string,
    readonly fields: readonly FieldError[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Says of one field that it breaks a rule. */
export type Report = (code: FieldErrorCode, detail: string) => void;

/** Gathers the broken rules of several fields, so that all of them are reported at once. */
export class BrokenRules {
  readonly fields: FieldError[] = [];

  on(field: string): Report {
    return (code, detail) => {
      this.fields.push({ field, code, detail });
    };
  }

  /** Takes over the broken rules of what is parsed here. */
  of<Value>(parse: () => Value): Value | undefined {
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

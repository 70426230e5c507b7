import { contentText, type Automation, type UncheckedDraft } from '../domain/automation.js';
import { otherCurrency } from '../domain/currency.js';
import { DomainError, type ErrorKind } from '../domain/errors.js';
import type { RemovedPart } from '../domain/file-facts.js';
import type { IdempotencyKey } from '../domain/idempotency.js';
import type { AddOutcome, NewAutomation } from '../domain/ports.js';
import { sha256 } from './defaults.js';

/** An automation, and whether an earlier request with the same idempotency key made it. */
export interface Created {
  readonly automation: Automation;
  readonly replayed: boolean;
  /** The parts of the file that are not stored. */
  readonly removed: readonly RemovedPart[];
}

/** A draft, and the key with which its create may be repeated. */
export interface KeyedDraft {
  readonly draft: UncheckedDraft;
  readonly key: IdempotencyKey;
}

/** The errors that one draft causes. */
const DRAFT_ERRORS: readonly ErrorKind[] = ['invalid', 'conflict', 'idempotency-key-reused'];

/** Returns whether a create failed by its draft, and not by the store or the rules of a host. */
export function isOfDraft(error: unknown): error is DomainError {
  return error instanceof DomainError && DRAFT_ERRORS.includes(error.kind);
}

/** Returns what settled up to the first failure that is of no draft, and that failure. */
export function untilFailure<Value>(
  settled: readonly PromiseSettledResult<Value>[],
): readonly PromiseSettledResult<Value>[] {
  const failure = settled.findIndex((one) => one.status === 'rejected' && !isOfDraft(one.reason));
  return failure < 0 ? settled : settled.slice(0, failure + 1);
}

/**
 * Returns what came of an offer. @throws DomainError `conflict` for an id that is taken and for another currency than
 * that of the store, `idempotency-key-reused` for a key that has other content.
 */
export function createdOf(
  { automation, requestHash }: NewAutomation,
  removed: readonly RemovedPart[],
  answer: AddOutcome | undefined,
): Created {
  if (answer?.outcome === 'stored') return { automation, replayed: false, removed };
  if (answer?.outcome === 'other-currency') throw otherCurrency(answer.currency, automation.price.currency);
  if (answer?.outcome !== 'earlier')
    throw new DomainError('conflict', 'duplicate-id', 'an automation has this id already');
  if ((answer.requestHash ?? hashOf(answer.automation)) === requestHash)
    return { automation: answer.automation, replayed: true, removed };
  throw new DomainError(
    'idempotency-key-reused',
    'idempotency-key-reused',
    'this idempotency key was used for an automation with other content; use a new key for a new automation',
  );
}

/** Returns the digest of what was requested, with which a repeated request is compared. */
export function hashOf(automation: Automation, sentSha256?: string): string {
  return sha256(contentText(automation, sentSha256));
}

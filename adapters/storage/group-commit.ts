import { setTimeout } from 'node:timers/promises';
import { addSizeOf, MAX_ADD_SIZE } from '../../domain/add-size.js';
import { DomainError } from '../../domain/errors.js';
import type { AddOutcome, AutomationRepository, NewAutomation } from '../../domain/ports.js';
import { BatchQueue } from './batch-queue.js';
import { decorated } from './decorated.js';
import { requireParts } from '../../domain/options.js';

/** An offer that has waited so long for other writes is not begun. */
const MAX_WAIT_MS = 5_000;

type Offers = readonly NewAutomation[];
type Outcomes = readonly AddOutcome[];

/**
 * Returns the automations of one store. Offers that arrive at the same time are stored in one write: one write runs,
 * the others wait and form the next one. A store that flushes to disk at each write then flushes once for many offers.
 * A process has one of these.
 */
export function groupCommit(automations: AutomationRepository): AutomationRepository {
  requireParts('groupCommit', 'automations', automations, ['add']);
  const queue = addQueue((offers) => automations.add(offers));
  return decorated(automations, { add: (offers) => queue.ask(offers) });
}

/** Returns the queue in front of what stores offers. It keeps each write short, also of the longest texts. */
export function addQueue(add: AutomationRepository['add']): BatchQueue<Offers, Outcomes> {
  const addAll = async (lists: readonly Offers[]) => outcomesOf(await add(lists.flat()), lists);
  return new BatchQueue(addAll, MAX_ADD_SIZE, {
    sizeOf: (offers) => offers.reduce((size, offer) => size + addSizeOf(offer), 0),
    later: setTimeout,
    waitLimit: { maxMs: MAX_WAIT_MS, now: () => performance.now(), tooLate },
  });
}

function tooLate(): DomainError {
  return new DomainError('unavailable', 'store-unavailable', 'too many writes wait for the store');
}

function outcomesOf(outcomes: Outcomes, lists: readonly Offers[]): readonly Outcomes[] {
  let start = 0;
  return lists.map(({ length }) => outcomes.slice(start, (start += length)));
}

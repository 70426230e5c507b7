import type { AutomationRepository } from '../../domain/ports.js';
import { addPromises } from './automation-add.js';
import { countPromises } from './automation-count.js';
import { findPromises } from './automation-find.js';
import { freeKeysPromises } from './automation-free-keys.js';
import { handlePromises } from './automation-handles.js';
import { idempotencyPromises } from './automation-idempotency.js';
import { listPromises } from './automation-list.js';
import { listOfPromises } from './automation-list-of.js';
import { listOldestFirstPromises } from './automation-list-oldest-first.js';
import { withdrawalReasonsPromises } from './automation-withdrawal-reasons.js';
import { withdrawPromises } from './automation-withdraw.js';
import { automationOverlaps } from './overlaps.js';
import { globalRunner, suiteOver, type Fresh, type Runner } from './runner.js';

/**
 * What every `AutomationRepository` owes. That all pages and all parts cost the same is left out: it takes a clock,
 * and a contract does not depend on time. So is what takes another process or a broken store: that what is stored is
 * durable, and what a store rejects with that is out of reach.
 */
export function automationRepositoryContract(
  fresh: Fresh<AutomationRepository>,
  runner: Runner = globalRunner(),
): void {
  const suite = suiteOver(fresh, runner);
  suite.describe('AutomationRepository', () => {
    suite.describe('add', () => addPromises(suite));
    suite.describe('idempotency keys', () => idempotencyPromises(suite));
    suite.describe('find', () => findPromises(suite));
    suite.describe('list', () => listPromises(suite));
    suite.describe('listOf', () => listOfPromises(suite));
    suite.describe('listOldestFirst', () => listOldestFirstPromises(suite));
    suite.describe('countByCategory', () => countPromises(suite));
    suite.describe('withdraw', () => withdrawPromises(suite));
    suite.describe('withdrawalReasons', () => withdrawalReasonsPromises(suite));
    suite.describe('freeIdempotencyKeys', () => freeKeysPromises(suite));
    automationOverlaps(suite);
    handlePromises(suite);
  });
}

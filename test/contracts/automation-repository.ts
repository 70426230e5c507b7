import type { AutomationRepository } from '../../domain/ports.js';
import { addPromises } from './automation-add.js';
import { afterPromises } from './automation-after.js';
import { countPromises } from './automation-count.js';
import { filePromises } from './automation-files.js';
import { findPromises } from './automation-find.js';
import { freeKeysPromises } from './automation-free-keys.js';
import { handlePromises } from './automation-handles.js';
import { idempotencyPromises } from './automation-idempotency.js';
import { listPromises } from './automation-list.js';
import { revisePromises } from './automation-revise.js';
import { wholePromises } from './automation-whole.js';
import { withdrawAllPromises } from './automation-withdraw-all.js';
import { withdrawPromises } from './automation-withdraw.js';
import { automationOverlaps } from './overlaps.js';
import { globalRunner, suiteOver, type Fresh, type Runner } from './runner.js';

/**
 * Declares what every `AutomationRepository` promises. Left out are that all pages cost the same, which needs a clock,
 * and that what is stored is durable, which needs another process.
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
    suite.describe('readFile', () => filePromises(suite));
    suite.describe('list', () => {
      listPromises(suite);
      afterPromises(suite);
      wholePromises(suite);
    });
    suite.describe('countByCategory', () => countPromises(suite));
    suite.describe('revise', () => revisePromises(suite));
    suite.describe('withdraw', () => withdrawPromises(suite));
    suite.describe('withdrawAll', () => withdrawAllPromises(suite));
    suite.describe('freeIdempotencyKeys', () => freeKeysPromises(suite));
    automationOverlaps(suite);
    handlePromises(suite);
  });
}

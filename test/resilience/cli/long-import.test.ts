import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import { InMemoryAuditLog, InMemoryAutomationRepository } from '../../../adapters/in-memory/index.js';
import { groupCommit } from '../../../adapters/storage/index.js';
import type { AddOutcome, NewAutomation } from '../../../domain/ports.js';
import { ACME, Program } from '../../integration/cli/harness.js';
import { collectGarbage } from '../../support/garbage.js';

/** The lines of a long file, each of more than 400 bytes, and what may be left of them. */
const LINES = 200_000;
const MAX_GROWTH_BYTES = LINES * 160;

/** Keeps nothing, so that a test of memory measures the import alone. */
class ForgetfulRepository extends InMemoryAutomationRepository {
  offers = 0;

  override async add(offers: readonly NewAutomation[]): Promise<readonly AddOutcome[]> {
    this.offers += offers.length;
    return offers.map(() => ({ outcome: 'stored' }));
  }
}

function line(title: string): string {
  return JSON.stringify({ title, description: 'x'.repeat(300), price: 9.99, category_id: 'sales' });
}

describe('The command automations import', () => {
  it(`streams ${LINES} lines in bounded memory`, async () => {
    const stdin = (async function* () {
      for (let start = 0; start < LINES; start += 1000)
        yield Array.from({ length: 1000 }, (_, i) => `${line(`Automation ${start + i}`)}\n`).join('');
    })();
    const automations = new ForgetfulRepository();
    const auditLog = Object.assign(new InMemoryAuditLog(), { append: async () => undefined });
    const program = new Program({ automations: groupCommit(automations), auditLog });
    await program.developers.register(ACME.developerId, { at: new Date(), entries: [] });
    collectGarbage();
    const before = process.memoryUsage();
    const outcome = await program.runWith({ stdin }, 'automations', 'import', '-', '--developer', 'acme');
    // Buffers are freed by another thread, which a busy machine lets wait.
    for (let round = 0; round < 5; round += 1) {
      collectGarbage();
      await setTimeout(100);
    }
    const after = process.memoryUsage();
    expect(outcome.stdout.join('')).to.include(`${LINES} lines read, ${LINES} stored, 0 already there, 0 failed`);
    expect(automations.offers).to.equal(LINES);
    expect(after.heapUsed - before.heapUsed).to.be.below(MAX_GROWTH_BYTES);
    expect(after.arrayBuffers - before.arrayBuffers).to.be.below(MAX_GROWTH_BYTES);
  });
});

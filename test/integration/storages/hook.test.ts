import { expect } from 'chai';
import type { AddressInfo } from 'node:net';
import { InMemoryAutomationRepository } from '../../../adapters/in-memory/automation-repository.js';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { DeveloperKeys, OPERATOR, type AutomationRepository } from '../../../application/index.js';
import { createService } from '../../../composition/index.js';
import type { AutomationId } from '../../../domain/automation.js';
import { automationRepositoryContract } from '../../contracts/automation-repository.js';
import { automation, automationIdOf, bulkWithdrawal, offer, revision, withdrawal } from '../../contracts/offers.js';
import { readmeConstant } from '../../support/readme.js';
import { TEST_CATEGORIES } from '../../support/storages.js';

type Hook = (event: string, id: AutomationId) => unknown;
type WithHook = (automations: AutomationRepository, hook: Hook) => AutomationRepository;

const withHook = await recipe([]);

automationRepositoryContract(() => withHook(new InMemoryAutomationRepository(), () => undefined));

describe('The decorator of docs/embedding.md', () => {
  it('calls the hook once for each automation that is stored, revised or withdrawn', async () => {
    const events: string[] = [];
    const repository = withHook(new InMemoryAutomationRepository(), (event, id) => events.push(`${event} ${id}`));
    const ids = [1, 2, 3].map(automationIdOf);
    await repository.add([offer(1), offer(2), offer(1), offer(3)]);
    await repository.revise(revision(automation(1), { title: 'Other' }));
    await repository.revise(revision(automation(1), { title: 'Raced' }));
    await repository.withdraw(automationIdOf(2), withdrawal(1));
    await repository.withdraw(automationIdOf(2), withdrawal(1));
    await repository.withdrawAll(bulkWithdrawal(9, { developerId: automation(1).developerId }));
    expect(events).to.deep.equal([
      ...ids.map((id) => `published ${id}`),
      `revised ${ids[0]}`,
      `withdrawn ${ids[1]}`,
      `withdrawn ${ids[0]}`,
      `withdrawn ${ids[2]}`,
    ]);
  });

  it('works in the whole service; a hook that fails is logged and fails no create', async () => {
    const storage = inMemoryStorage();
    await storage.categories.save(TEST_CATEGORIES);
    const events: string[] = [];
    const logged: string[] = [];
    const automations = (await recipe(logged))(storage.automations, (event, id) => {
      events.push(`${event} ${id}`);
      if (events.length === 1) throw new Error('planted at once');
      return Promise.reject(new Error('planted later'));
    });
    const service = await createService({ storage: { ...storage, automations } });
    const { port } = (await service.listen(0)).address() as AddressInfo;
    const { text } = await new DeveloperKeys(storage.keys).issue(OPERATOR, { developer: 'ada' });
    const headers = { Authorization: `Bearer ${text}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ title: 'A', description: 'B', price: 1, category_id: 'communication' });
    const ids: string[] = [];
    for (const _ of [1, 2]) {
      const created = await fetch(`http://127.0.0.1:${port}/api/automations`, { method: 'POST', headers, body });
      expect(created.status).to.equal(201);
      ids.push(((await created.json()) as { id: string }).id);
    }
    await service.close();
    expect(events).to.deep.equal(ids.map((id) => `published ${id}`));
    expect(logged).to.deep.equal(['Error: planted at once', 'Error: planted later']);
  });
});

/** Returns the decorator, which logs here. */
async function recipe(logged: string[]): Promise<WithHook> {
  const console = { error: (error: unknown) => logged.push(String(error)) };
  return (await readmeConstant('A hook after a write', 'withHook', { console })) as WithHook;
}

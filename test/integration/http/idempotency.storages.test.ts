import { expect } from 'chai';
import { OPERATOR } from '../../../domain/access.js';
import { ofLength } from '../../support/full-length.js';
import { draft, slugOf } from '../../support/service/client.js';
import { lifetimes } from '../../support/service/lifetime.js';
import { onEveryStorage } from '../../support/service/on-every-storage.js';
import { mismatches, replays, scopes } from '../../support/service/replay.js';
import { races } from '../../support/service/same-id.js';
import { unkeptAfterFaults } from '../../support/service/unkept.js';
import { parseCurrency } from '../../../domain/currency.js';

const COUNT = ofLength(50, 10);
/** For each fault of a create. */
const TRIES = ofLength(5, 1);
const FAULTS = 11;

onEveryStorage('An idempotency key', (stage) => {
  it('answers the first automation again, and says so', async () => {
    const { violations, figures } = await replays(stage.service, COUNT);
    expect(violations).to.deep.equal([]);
    expect(figures).to.include({ stored: COUNT, replayed: 2 * COUNT });
  });

  it('goes with the content: other content is a mistake, other words for the same a replay', async () => {
    const { violations, figures } = await mismatches(stage.service, COUNT);
    expect(violations).to.deep.equal([]);
    expect(figures).to.include({ refused: COUNT, replayed: COUNT });
  });

  it('answers the same request also after a revision, with the automation as it is now', async () => {
    const client = stage.client(await stage.service.key());
    const first = await client.post(draft(1), 'revised');
    const { id, updated_at } = JSON.parse(first.text) as { id: string; updated_at: string };
    const texts = { url: 'https://ada.example/', license: 'MIT' };
    const changes = { title: 'Revised', price: 3, categoryId: 'ai-agents', ...texts };
    const { automation } = await stage.service.marketplace.reviseAutomation(OPERATOR, id, changes);
    const again = await client.post(draft(1), 'revised');
    expect([again.status, again.headers['idempotent-replayed']]).to.deep.equal([201, 'true']);
    expect(JSON.parse(again.text)).to.deep.equal({
      ...JSON.parse(first.text),
      title: 'Revised',
      price: 3,
      category_id: 'ai-agents',
      ...texts,
      updated_at: automation.updatedAt.toISOString(),
    });
    expect(automation.updatedAt.toISOString() > updated_at, 'later').to.equal(true);
    const asItIsNow = { ...draft(1), title: 'Revised', price: 3, category_id: 'ai-agents' };
    for (const other of [draft(2), asItIsNow, { ...draft(1), url: texts.url }, { ...draft(1), license: 'MIT' }]) {
      const refused = await client.post(other, 'revised');
      expect([refused.status, slugOf(refused)]).to.deep.equal([422, 'idempotency-key-reused']);
    }
    expect(await client.total()).to.equal(1);
  });

  it('answers the same request also after a withdrawal', async () => {
    const client = stage.client(await stage.service.key());
    const first = await client.post(draft(1), 'withdrawn');
    const { id } = JSON.parse(first.text) as { id: string };
    await stage.service.marketplace.withdrawAutomation(OPERATOR, id);
    const again = await client.post(draft(1), 'withdrawn');
    expect([again.status, again.text]).to.deep.equal([201, first.text]);
    expect((await client.get(`/automations/${id}`)).status).to.equal(404);
    expect(await client.total()).to.equal(0);
  });

  it('belongs to the developer, under every base', async () => {
    expect((await scopes(stage.service, COUNT)).violations).to.deep.equal([]);
  });

  it('is free after a create that failed', async () => {
    const { violations, figures } = await unkeptAfterFaults([await stage.fresh()], TRIES);
    expect(violations).to.deep.equal([]);
    expect(figures['corrected']).to.equal(FAULTS * TRIES);
  });

  it('is kept for 24 hours, and then leaves nothing', async () => {
    const { violations, figures } = await lifetimes([await stage.fresh()], COUNT);
    expect(violations).to.deep.equal([]);
    expect(figures).to.include({ 'made again': COUNT, freed: COUNT });
  });
});

onEveryStorage('An id that many add at once', (stage) => {
  it('is stored once', async () => {
    const repositories = await stage.fresh();
    await repositories.prepare({ currency: parseCurrency('USD') });
    expect((await races([repositories.automations], 5)).violations).to.deep.equal([]);
    await repositories.close();
  });
});

import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { ON_TERMINAL, Workplace } from '../../support/process.js';
import { Client, created, draft } from '../../support/service/client.js';

const MODULE = fileURLToPath(new URL('json-storage.js', import.meta.url));
const CATEGORY = { category_id: 'uncategorized' };

describe('The whole service over a JSON file', () => {
  let place: Workplace;
  before(async () => {
    place = await Workplace.open({ ...ON_TERMINAL, STORAGE: MODULE });
  });
  after(() => place.clear());

  async function run(...words: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await place.run(words);
    expect(code, stderr).to.equal(0);
    return stdout;
  }

  it('sells, finds, withdraws, and keeps all of it over a restart', async () => {
    const first = await place.serve();
    const client = new Client(first.url, first.firstKey);
    const { id: one } = created(await client.post(draft(1, CATEGORY), 'key'));
    const { id: two } = created(await client.post(draft(2, CATEGORY)));
    expect((await fetch(`${first.url}/readyz`)).status).to.equal(200);
    client.close();
    expect(await first.stop()).to.equal(0);

    await run('automations', 'withdraw', two, '--reason', 'Sold out');
    await run('developers', 'invite', 'ada');
    expect(await run('automations', 'show', two)).to.include('Sold out');
    expect(await run('check')).to.be.a('string');

    const second = await place.serve();
    const again = new Client(second.url, first.firstKey);
    const { data, total } = await again.list();
    expect([total, data.map(({ id }) => id)]).to.deep.equal([1, [one]]);
    expect(created(await again.post(draft(1, CATEGORY), 'key')).id).to.equal(one);
    const search = await fetch(`${second.url}/api/automations?q=automa`, {
      headers: { Authorization: `Bearer ${first.firstKey}` },
    });
    expect(await search.json()).to.include({ total: 1 });
    again.close();
    expect(await second.stop()).to.equal(0);

    const history = JSON.parse(await run('audit', '--json')) as readonly { readonly action: string }[];
    const actions = history.map(({ action }) => action).filter((action) => /^automation|^developer/.test(action));
    expect(actions).to.include.members(['developer-invited', 'automation-withdrawn', 'automation-published']);
  });
});

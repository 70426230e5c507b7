import { expect } from 'chai';
import { describePostgres } from '../../support/postgres.js';
import { Workplace } from '../../support/process.js';
import { Client, created, draft } from '../../support/service/client.js';

const CATEGORY = { category_id: 'uncategorized' };
const DRAFT = draft(1, CATEGORY);

describePostgres('The whole service on PostgreSQL', (newPlace) => {
  let place: Workplace;
  before(async () => {
    const { url, schema } = await newPlace();
    place = await Workplace.open({ STORAGE: 'postgresql', POSTGRES_URL: url, POSTGRES_SCHEMA: schema });
  });
  after(() => place.clear());

  async function run(...words: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await place.run(words);
    expect(code, stderr).to.equal(0);
    return stdout;
  }

  it('creates, lists, revises, withdraws and has the history, also after a restart', async function () {
    this.timeout(60_000);
    const first = await place.serve();
    const client = new Client(first.url, first.firstKey);
    const { id: one } = created(await client.post(DRAFT, 'key'));
    const { id: two } = created(await client.post(draft(2, CATEGORY)));
    await run('automations', 'revise', one, '--price', '7.5');
    await run('automations', 'withdraw', two, '--reason', 'Sold out');
    client.close();
    expect(await first.stop()).to.equal(0);

    const second = await place.serve();
    const again = new Client(second.url, first.firstKey);
    const { data, total } = await again.list();
    expect({ total, data }).to.deep.equal({ total: 1, data: [{ id: one, title: 'Automation 1', price: 7.5 }] });
    expect(created(await again.post(DRAFT, 'key')).id).to.equal(one);
    expect(await again.total()).to.equal(1);
    expect((await fetch(`${second.url}/readyz`)).status).to.equal(200);
    again.close();
    expect(await second.stop()).to.equal(0);

    const history = JSON.parse(await run('audit', '--json')) as readonly { readonly action: string }[];
    const actions = history.map(({ action }) => action).filter((action) => action.startsWith('automation-'));
    const expected = ['automation-withdrawn', 'automation-revised', 'automation-published', 'automation-published'];
    expect(actions).to.deep.equal(expected);
    expect(await run('check')).to.be.a('string');
  });
});

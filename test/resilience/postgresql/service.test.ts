import { expect } from 'chai';
import { describePgBouncer } from '../../support/pgbouncer.js';
import { newPostgresSettings } from '../../support/postgres-storage.js';
import { describePostgres, runSql, type PostgresPlace } from '../../support/postgres.js';
import { Workplace, type Settings } from '../../support/process.js';
import { Client, created, draft } from '../../support/service/client.js';

const CATEGORY = { category_id: 'uncategorized' };
const DRAFT = draft(1, CATEGORY);

describePostgres('The whole service on PostgreSQL', () => wholeService(() => ({})));

describePgBouncer('The whole service on PostgreSQL behind PgBouncer', (pooled) =>
  wholeService(() => ({ POSTGRES_URL: pooled() })),
);

function wholeService(settings: () => Settings): void {
  let place: Workplace;
  before(async () => {
    place = await Workplace.open({ ...(await newPostgresSettings()), ...settings() });
  });
  after(() => place.clear());

  async function run(...words: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await place.run(words);
    expect(code, stderr).to.equal(0);
    return stdout;
  }

  it('creates, lists, revises, withdraws and has the history, also after a restart', async () => {
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
    expect(await (await fetch(`${second.url}/metrics`)).text()).to.match(/^marketplace_automations_on_sale\{.*\} 1$/m);
    again.close();
    expect(await second.stop()).to.equal(0);

    const history = JSON.parse(await run('audit', '--json')) as readonly { readonly action: string }[];
    const actions = history.map(({ action }) => action).filter((action) => action.startsWith('automation-'));
    const expected = ['automation-withdrawn', 'automation-revised', 'automation-published', 'automation-published'];
    expect(actions).to.deep.equal(expected);
    expect(await run('check')).to.be.a('string');
  });
}

describePostgres('The program with a PostgreSQL server that refuses it', (newPlace) => {
  let place: PostgresPlace;
  let workplace: Workplace;
  before(async () => {
    place = await newPlace();
    workplace = await Workplace.open({ STORAGE: 'postgresql', POSTGRES_SCHEMA: place.schema });
  });
  after(() => workplace.clear());

  async function refusalOf(words: readonly string[], change: (url: URL) => void = () => undefined): Promise<string> {
    const url = new URL(place.url);
    change(url);
    const { code, stderr } = await workplace.run(words, { POSTGRES_URL: url.href });
    expect(code, stderr).to.equal(1);
    return stderr;
  }

  it('names the variable, and tells a wrong user from a missing database', async () => {
    const mistakes = [
      [(url: URL) => (url.username = 'canary'), 'is wrong: PostgreSQL refuses this user or password'],
      [(url: URL) => (url.pathname = '/canary'), 'must name a database that the server has'],
    ] as const;
    for (const [change, sentence] of mistakes)
      for (const words of [['serve'], ['keys', 'list']])
        expect(await refusalOf(words, change))
          .to.include(`POSTGRES_URL, or the content of POSTGRES_URL_FILE, ${sentence}`)
          .and.not.include('canary');
  });

  it('tells the statements for a user without rights', async () => {
    const role = `role-${place.schema}`;
    await runSql(place.url, `CREATE ROLE "${role}" LOGIN PASSWORD 'secret'`);
    const refusal = await refusalOf(['serve'], (url) => Object.assign(url, { username: role, password: 'secret' }));
    expect(refusal).to.match(/administrator can allow it: CREATE /);
    await runSql(place.url, `DROP ROLE "${role}"`);
  });

  it('makes no store for a command that only reads', async () => {
    expect(await refusalOf(['keys', 'list'])).to.include(
      'must name a database with a store: there is none in the schema',
    );
    expect(await runSql(place.url, `SELECT * FROM pg_tables WHERE schemaname = '${place.schema}'`)).to.deep.equal([]);
  });

  it('tells of a store of a newer version', async () => {
    const url = place.url;
    const settings = `"${place.schema}".settings`;
    await runSql(url, `CREATE TABLE ${settings} (name text PRIMARY KEY, value text)`);
    await runSql(url, `INSERT INTO ${settings} VALUES ('schema', '9')`);
    expect(await refusalOf(['serve'])).to.include('written by a newer version of this program: its schema is 9');
    await runSql(url, `DROP TABLE ${settings}`);
  });
});

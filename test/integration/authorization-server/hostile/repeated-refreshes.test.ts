import { expect } from 'chai';
import { OPERATOR } from '../../../../domain/access.js';
import { signedIn } from '../../../support/signed-in.js';
import { ada } from '../../../unit/application/people.js';
import { Market, type Client, type Fields, type Tokens } from './market.js';
import { outcomeOf } from './outcome.js';

const ADA = signedIn(ada);
const READ = { scope: 'automations:read' };
const REFUSED = '400 invalid_grant';

describe('The authorization server, when a refresh is repeated', () => {
  let market: Market;
  let app: Client;
  let token: string;

  before(async () => {
    market = await Market.open();
    app = await market.register('native');
  });
  beforeEach(async () => {
    token = (await market.tokens(app)).refresh_token;
  });
  after(() => market.close());

  const refresh = async (changes: Fields = {}) =>
    JSON.parse((await market.refresh(app, token, changes)).body) as Tokens;
  const repeated = async (changes?: Fields) => outcomeOf(await market.refresh(app, token, changes));
  /** Returns whether tokens work: the status of a read, and the outcome of the next refresh. */
  const working = async ({ access_token: access, refresh_token: next }: Tokens) => [
    (await market.read(access)).status,
    outcomeOf(await market.refresh(app, next)),
  ];
  const stored = async (kind: string) => {
    const records = await market.records.list({ kind, limit: 1_000 });
    return records.filter(({ clientId }) => clientId === app.id);
  };

  it('gives the same answer for 10 seconds, and its tokens work', async () => {
    const first = await refresh();
    expect(first).to.include.keys('access_token', 'refresh_token');
    expect(await refresh()).to.deep.equal(first);
    expect(await market.later(9, refresh)).to.deep.equal(first);
    expect(await working(first)).to.deep.equal([200, 'ACCEPTED 200']);
  });

  it('ends the connection after 10 seconds, as one of the two may be a thief', async () => {
    const first = await refresh();
    expect(await market.later(10, repeated)).to.equal(REFUSED);
    expect(await working(first)).to.deep.equal([401, REFUSED]);
    await market.core.audit.settled();
    const { items } = await market.core.audit.list(OPERATOR, { limit: 1 });
    expect(items.map(({ action }) => action)).to.deep.equal(['app-token-reused']);
  });

  it('gives twenty requests at once one answer, and stores one refresh token for them', async () => {
    const before = (await stored('refresh-token')).length;
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh()));
    const [first] = answers;
    expect(first).to.include.keys('access_token', 'refresh_token');
    for (const answer of answers) expect(answer).to.deep.equal(first);
    expect((await stored('refresh-token')).length - before).to.equal(1);
    expect(await working(first as Tokens)).to.deep.equal([200, 'ACCEPTED 200']);
  });

  it('still gives the same answer when its refresh token was used meanwhile', async () => {
    const first = await refresh();
    const next = await market.refresh(app, first.refresh_token);
    expect(await refresh()).to.deep.equal(first);
    expect((await market.refresh(app, first.refresh_token)).body).to.equal(next.body);
    expect(await working(JSON.parse(next.body) as Tokens)).to.deep.equal([200, 'ACCEPTED 200']);
  });

  it('takes requests for the same that say it in other words as the same', async () => {
    const first = await refresh();
    for (const scope of ['automations:read automations:write', 'automations:write automations:read'])
      expect(await refresh({ scope, resource: `${market.url}/api` })).to.deep.equal(first);
  });

  it('refuses one for other scopes, and keeps the connection', async () => {
    const first = await refresh(READ);
    expect(await repeated()).to.equal(REFUSED);
    expect(await refresh(READ)).to.deep.equal(first);
    expect(await working(first)).to.deep.equal([200, 'ACCEPTED 200']);
  });

  it('refuses one with another resource, scope or client, and keeps the connection', async () => {
    const first = await refresh();
    expect(await repeated({ resource: `${market.url}/mcp` })).to.equal('400 invalid_target');
    expect(await repeated({ scope: 'automations:delete' })).to.equal('400 invalid_scope');
    const other = await market.register('native', { by: 'bob' });
    expect(outcomeOf(await market.refresh(other, token))).to.equal(REFUSED);
    expect(await refresh()).to.deep.equal(first);
    expect(await working(first)).to.deep.equal([200, 'ACCEPTED 200']);
  });

  it('refuses it when the connection has ended meanwhile', async () => {
    const ends: Readonly<Record<string, (first: Tokens) => Promise<unknown>>> = {
      'by its person': async () => {
        const { items } = await market.core.connections.list(ADA, { limit: 1 });
        await market.core.connections.disconnect(ADA, items[0]?.id ?? '');
      },
      'by its app': ({ refresh_token: next }) => market.postAs(app, '/token/revocation', { token: next }),
    };
    for (const [title, end] of Object.entries(ends)) {
      token = (await market.tokens(app)).refresh_token;
      await end(await refresh());
      expect(await repeated(), title).to.equal(REFUSED);
    }
  });

  it('refuses it for a person who was suspended meanwhile', async () => {
    token = (await market.tokens(app, {}, await market.member('carol'))).refresh_token;
    await refresh();
    await market.suspend('carol');
    expect(await repeated()).to.equal(REFUSED);
  });

  it('keeps the answer encrypted, and removes it after 10 seconds', async () => {
    const before = await stored('refresh-answer');
    const { access_token: access, refresh_token: next } = await refresh();
    const kept = await stored('refresh-answer');
    expect(kept.length - before.length).to.equal(1);
    for (const secret of [access, next, token]) expect(JSON.stringify(kept)).to.not.include(secret);
    await market.later(10, async () => market.records.removeExpired(new Date()));
    expect(await stored('refresh-answer')).to.deep.equal([]);
  });
});

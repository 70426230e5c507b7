import { expect } from 'chai';
import { OPERATOR } from '../../../../domain/access.js';
import { signedIn } from '../../../support/signed-in.js';
import { ada } from '../../../unit/application/people.js';
import { Market, type Client, type Fields, type Tokens } from './market.js';
import { outcomeOf, refuses } from './outcome.js';

const ADA = signedIn(ada);
const DAY_SECONDS = 24 * 60 * 60;
const READ = { scope: 'automations:read' };

describe('The authorization server refuses a refresh token', () => {
  let market: Market;
  let app: Client;
  let other: Client;

  before(async () => {
    market = await Market.open();
    app = await market.register('native');
    other = await market.register('native', { by: 'bob' });
  });
  after(() => market.close());

  const fresh = async (changes?: Fields) => (await market.tokens(app, changes)).refresh_token;
  const changed = (changes: Fields, asked?: Fields) => async () => market.refresh(app, await fresh(asked), changes);

  refuses([
    [
      'that was used more than 10 seconds ago',
      async () => {
        const token = await fresh();
        await market.refresh(app, token);
        return market.later(10, () => market.refresh(app, token));
      },
      '400 invalid_grant',
    ],
    ['of another client', async () => market.refresh(other, await fresh()), '400 invalid_grant'],
    [
      'of an app that was disconnected',
      async () => {
        const token = await fresh();
        const { items } = await market.core.connections.list(ADA, { limit: 1 });
        await market.core.connections.disconnect(ADA, items[0]?.id ?? '');
        return market.refresh(app, token);
      },
      '400 invalid_grant',
    ],
    [
      'of an app that was disconnected, while it is not removed yet',
      async () => {
        const token = await fresh();
        const { items } = await market.core.connections.list(ADA, { limit: 1 });
        await market.records.destroy({ kind: 'connection', id: items[0]?.id ?? '', entries: [] });
        return market.refresh(app, token);
      },
      '400 invalid_grant',
    ],
    [
      'that its app gave back',
      async () => {
        const token = await fresh();
        await market.postAs(app, '/token/revocation', { token });
        return market.refresh(app, token);
      },
      '400 invalid_grant',
    ],
    [
      'of an app that was revoked',
      async () => {
        const revoked = await market.register('native');
        const { refresh_token: token } = await market.tokens(revoked);
        await market.core.apps.revoke(OPERATOR, revoked.id);
        return market.refresh(revoked, token);
      },
      '401 invalid_client',
    ],
    [
      'for a person who was suspended',
      async () => {
        const { refresh_token: token } = await market.tokens(app, {}, await market.member('carol'));
        await market.suspend('carol');
        return market.refresh(app, token);
      },
      '400 invalid_grant',
    ],
    [
      'with more scope than was granted',
      changed({ scope: 'automations:read automations:write' }, READ),
      '400 invalid_scope',
    ],
    ['with a scope that is unknown', changed({ scope: 'automations:delete' }), '400 invalid_scope'],
    [
      'for another resource of the service',
      async () => market.refresh(app, await fresh(), { resource: `${market.url}/mcp` }),
      '400 invalid_target',
    ],
    ['for a resource elsewhere', changed({ resource: 'https://elsewhere.example/api' }), '400 invalid_target'],
    [
      'for two resources',
      async () => market.refresh(app, await fresh(), { resource: [`${market.url}/api`, `${market.url}/mcp`] }),
      '400 invalid_target',
    ],
    [
      '31 days later',
      async () => {
        const token = await fresh();
        return market.later(31 * DAY_SECONDS, () => market.refresh(app, token));
      },
      '400 invalid_grant',
    ],
    [
      'that is an access token',
      async () => market.refresh(app, (await market.tokens(app)).access_token),
      '400 invalid_grant',
    ],
    ['that is empty', changed({ refresh_token: '' }), '400 invalid_request'],
    [
      'twice in one request',
      async () => {
        const token = await fresh();
        return market.refresh(app, token, { refresh_token: [token, token] });
      },
      '400 invalid_request',
    ],
    ['as an access token', async () => market.read(await fresh()), '401 invalid_token'],
    ['as a code', async () => market.exchange(app, await fresh()), '400 invalid_grant'],
    [
      'to an app that may not have one',
      async () => {
        const machine = await market.register('machine');
        return market.refresh(machine, await fresh());
      },
      '400 invalid_request',
    ],
  ]);

  it('that other clients give back, and it works on', async () => {
    const token = await fresh();
    const web = await market.register('web');
    for (const client of [other, web])
      expect(outcomeOf(await market.postAs(client, '/token/revocation', { token }))).to.equal('200');
    expect(outcomeOf(await market.refresh(app, token))).to.equal('ACCEPTED 200');
  });

  it('more scope after one was narrowed', async () => {
    const { refresh_token: token } = await market.tokens(app);
    const narrowed = JSON.parse((await market.refresh(app, token, READ)).body) as Tokens;
    expect(narrowed.scope).to.equal('automations:read');
  });
});

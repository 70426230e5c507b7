import { OPERATOR } from '../../../../domain/access.js';
import { send } from '../../../support/socket.js';
import { Market, type Client, type Fields } from './market.js';
import { refuses } from './outcome.js';

const CREDENTIALS = { grant_type: 'client_credentials' };
const DEVICE = '/device/auth';
const READ = 'automations:read';
const BOTH = 'automations:read automations:write';
const AT_APP = 'at http://127.0.0.1:5555/callback';

describe('The authorization server refuses a client', () => {
  let market: Market;
  let machine: Client;
  let native: Client;
  let reader: Client;

  before(async () => {
    market = await Market.open();
    machine = await market.register('machine');
    native = await market.register('native');
    reader = await market.register('native', { scopes: [READ] });
  });
  after(() => market.close());

  const asked =
    (client: () => Pick<Client, 'id'>, changes: Fields = {}) =>
    () =>
      market.ask(client(), changes);

  refuses([
    ['that asks for a scope beyond its own', asked(() => reader, { scope: BOTH }), `303 invalid_scope ${AT_APP}`],
    [
      'that asks for no scope that there is',
      asked(() => native, { scope: 'automations:delete' }),
      `303 invalid_scope ${AT_APP}`,
    ],
    [
      'that asks for no scope that there is, and to know who the person is',
      asked(() => native, { scope: 'openid automations:delete' }),
      `303 invalid_scope ${AT_APP}`,
    ],
    [
      'for a device, with no scope that there is',
      () => market.postAs(native, DEVICE, { scope: 'automations:delete' }),
      '400 invalid_scope',
    ],
    [
      'that is a machine, with no scope that there is',
      () => market.postAs(machine, '/token', { ...CREDENTIALS, scope: 'automations:delete' }),
      '400 invalid_scope',
    ],
    [
      'that asks for a scope with a quote',
      asked(() => native, { scope: 'automations:read"' }),
      `303 invalid_scope ${AT_APP}`,
    ],
    [
      'that asks for a scope with a NUL byte',
      asked(() => native, { scope: `${READ}\0` }),
      `303 invalid_scope ${AT_APP}`,
    ],
    [
      'for a device, with a scope beyond its own',
      () => market.postAs(reader, DEVICE, { scope: BOTH }),
      '400 invalid_scope',
    ],
    [
      'that is a machine, with a scope beyond its own',
      async () =>
        market.postAs(await market.register('machine', { scopes: [READ] }), '/token', { ...CREDENTIALS, scope: BOTH }),
      '400 invalid_scope',
    ],
  ]);

  it('of a buyer that wants to sell', async () => {
    await refused(await soldBy(await buyer()));
  });
  it('of a developer who became a buyer, and wants to sell', async () => {
    const visitor = await market.member('frank');
    const { access_token: token } = await market.tokens(native, {}, visitor);
    await market.core.accounts.setRole(OPERATOR, 'frank', 'buyer');
    await refused(await soldBy(token));
  });

  const buyer = async () => {
    const visitor = await market.member('erin');
    await market.core.accounts.setRole(OPERATOR, 'erin', 'buyer');
    const { access_token: token, scope } = await market.tokens(native, {}, visitor);
    if (scope !== READ) throw new Error(`a buyer was given ${scope}`);
    return token;
  };
  const soldBy = (token: string) =>
    send(market.url, {
      method: 'POST',
      path: '/api/automations',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: '{}',
    });
  const refused = async ({ status, headers }: Awaited<ReturnType<typeof soldBy>>) => {
    if (status !== 403 || !headers.get('www-authenticate')?.includes('insufficient_scope'))
      throw new Error(`the answer was ${status}`);
  };
});

import { expect } from 'chai';
import { OPERATOR } from '../../../../domain/access.js';
import { overMemory } from '../../../support/repositories.js';
import { startService, type LocalService } from '../../../support/service.js';
import { send, type Sent } from '../../../support/socket.js';
import { Devices } from './devices.js';
import { encoded, FORM, Market, type Client, type Fields } from './market.js';
import { outcomeOf } from './outcome.js';

const OTHER_REDIRECT = 'https://app.example/other';
/** The address of the second service, which has another `PUBLIC_URL` than the first. */
const WRONG_URL = 'http://127.0.0.1:9';
const ACCEPTED = 'ACCEPTED 200';

/** What is exchanged for tokens. */
interface Kind {
  /** Returns one that a person has just allowed. */
  readonly fresh: (changes?: Fields, visitor?: Market['ada']) => Promise<string>;
  readonly fields: (value: string) => Fields;
}

/** A mistake in a request, and how it is refused. */
type Mistake = readonly [title: string, changes: Fields, expected: string];

describe('A request for tokens that is refused leaves', () => {
  let market: Market;
  let wrong: LocalService;
  let app: Client;
  let other: Client;
  let devices: Devices;

  before(async () => {
    const repositories = overMemory();
    market = await Market.open({ repositories });
    wrong = await startService({ repositories, settings: { MCP: 'on', PUBLIC_URL: WRONG_URL } });
    app = await market.register('native');
    other = await market.register('native', { by: 'bob' });
    devices = new Devices(market, app);
  });
  after(async () => {
    await wrong.close();
    await market.close();
  });

  const kinds: Readonly<Record<string, Kind>> = {
    'a refresh token': {
      fresh: async (changes, visitor) => (await market.tokens(app, changes, visitor)).refresh_token,
      fields: (token) => ({ grant_type: 'refresh_token', refresh_token: token }),
    },
    'a code': {
      fresh: (changes, visitor) => market.code(app, changes, visitor),
      fields: (code) => market.fieldsOf(code),
    },
    'a device code': {
      fresh: async ({ resource } = {}, visitor) => {
        const device = await devices.start(app, { resource });
        await devices.allow(device, visitor);
        return device.device_code;
      },
      fields: (code) => devices.fieldsOf(code),
    },
  };

  const elsewhere = (): readonly Mistake[] => [
    ['another resource', { resource: 'https://elsewhere.example/api' }, '400 invalid_target'],
    ['a resource that is no address', { resource: 'api' }, '400 invalid_target'],
    ['a resource with a slash at its end', { resource: `${market.url}/api/` }, '400 invalid_target'],
    ['the resource of agents', { resource: `${market.url}/mcp` }, '400 invalid_target'],
    ['two resources', { resource: [`${market.url}/api`, `${market.url}/mcp`] }, '400 invalid_target'],
    ['another client', { client_id: other.id }, '400 invalid_grant'],
  ];
  const own: Readonly<Record<string, readonly Mistake[]>> = {
    'a refresh token': [
      ['a scope that is malformed', { scope: 'a"b' }, '400 invalid_scope'],
      ['a scope that is unknown', { scope: 'automations:delete' }, '400 invalid_scope'],
      ['a scope twice', { scope: ['automations:read', 'automations:read'] }, '400 invalid_request'],
    ],
    'a code': [
      ['another redirect URI', { redirect_uri: OTHER_REDIRECT }, '400 invalid_grant'],
      ['another verifier', { code_verifier: 'x'.repeat(43) }, '400 invalid_grant'],
    ],
  };

  const ask = (fields: Fields) => market.postAs(app, '/token', fields);
  const askWrong = async (fields: Fields): Promise<Sent> => {
    const headers = { 'Content-Type': FORM };
    const body = encoded({ client_id: app.id, ...fields });
    return send(wrong.url, { method: 'POST', path: '/oauth/token', headers, body });
  };

  for (const [name, { fresh, fields }] of Object.entries(kinds)) {
    it(`${name} as it was, whatever is wrong with the request`, async () => {
      const mistakes = [...elsewhere(), ...(own[name] ?? [])];
      expect(mistakes.length).to.be.at.least(6);
      for (const [title, changes, expected] of mistakes) {
        const right = fields(await fresh());
        expect(outcomeOf(await ask({ ...right, ...changes })), title).to.equal(expected);
        expect(outcomeOf(await ask(right)), title).to.equal(ACCEPTED);
      }
    });

    it(`${name} of an agent as it was, when the request names another resource`, async () => {
      for (const path of ['/api', '/mcp/', '/MCP', '']) {
        const resource = `${market.url}/mcp`;
        const right = { ...fields(await fresh({ resource })), resource };
        expect(outcomeOf(await ask({ ...right, resource: market.url + path })), path).to.equal('400 invalid_target');
        expect(outcomeOf(await ask(right)), path).to.equal(ACCEPTED);
      }
    });

    it(`${name} as it was, when PUBLIC_URL was wrong and is corrected`, async () => {
      const right = fields(await fresh());
      for (const resource of [undefined, `${WRONG_URL}/api`, `${market.url}/api`])
        expect(outcomeOf(await askWrong({ ...right, resource }))).to.equal('400 invalid_target');
      expect(outcomeOf(await ask(right))).to.equal(ACCEPTED);
    });

    it(`${name} of a person who is suspended as it was, until they are restored`, async () => {
      const person = `person-of-${name.replaceAll(' ', '-')}`;
      const right = fields(await fresh({}, await market.member(person)));
      await market.suspend(person);
      expect(outcomeOf(await ask(right))).to.equal('400 invalid_grant');
      await market.core.accounts.restore(OPERATOR, person);
      expect(outcomeOf(await ask(right))).to.equal(ACCEPTED);
    });
  }

  it('a device code as it was when its person refused: each poll says so', async () => {
    const device = await devices.start();
    await market.answer(await devices.confirm(device), 'cancel');
    for (let poll = 0; poll < 3; poll += 1) expect(outcomeOf(await devices.poll(device))).to.equal('400 access_denied');
  });
});

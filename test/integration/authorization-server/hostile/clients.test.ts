import { OPERATOR } from '../../../../domain/access.js';
import { signedIn } from '../../../support/signed-in.js';
import { send } from '../../../support/socket.js';
import { ada } from '../../../unit/application/people.js';
import { Market, type Client, type Fields } from './market.js';
import { refuses } from './outcome.js';

const CREDENTIALS = { grant_type: 'client_credentials' };
const DEVICE = '/device/auth';
const READ = 'automations:read';
const UNKNOWN = '00000000-0000-7000-8000-000000000000';

describe('The authorization server refuses a client', () => {
  let market: Market;
  let machine: Client;
  let web: Client;
  let native: Client;

  before(async () => {
    market = await Market.open();
    machine = await market.register('machine');
    web = await market.register('web');
    native = await market.register('native');
  });
  after(() => market.close());

  const withSecret = (secret: string | undefined) => market.postAs({ ...machine, secret }, '/token', CREDENTIALS);
  const basic = (value: string) => market.post('/token', CREDENTIALS, { Authorization: `Basic ${btoa(value)}` });
  const inBody = (fields: Fields) => market.post('/token', { ...CREDENTIALS, ...fields });
  const asked =
    (client: () => Pick<Client, 'id'>, changes: Fields = {}) =>
    () =>
      market.ask(client(), changes);

  refuses([
    ['with a wrong secret', () => withSecret('wrong'), '401 invalid_client'],
    ['with the secret of another app', () => withSecret(web.secret), '401 invalid_client'],
    ['with a secret of which the end is missing', () => withSecret(machine.secret?.slice(0, -1)), '401 invalid_client'],
    ['with its secret and more', () => withSecret(`${machine.secret} `), '401 invalid_client'],
    ['with a secret of 10,000 characters', () => withSecret('x'.repeat(10_000)), '401 invalid_client'],
    [
      'with the stored hash of its secret',
      async () => {
        const { secretHash } = await market.core.apps.read(OPERATOR, machine.id);
        return withSecret(secretHash);
      },
      '401 invalid_client',
    ],
    [
      'with its old secret after it was renewed',
      async () => {
        const renewed = await market.register('machine');
        await market.core.apps.renewSecret(signedIn(ada), renewed.id);
        return market.postAs(renewed, '/token', CREDENTIALS);
      },
      '401 invalid_client',
    ],
    ['that has a secret and sends none', () => inBody({ client_id: machine.id }), '401 invalid_client'],
    ['with an empty secret', () => basic(`${machine.id}:`), '401 invalid_client'],
    [
      'with an empty secret in the body',
      () => inBody({ client_id: machine.id, client_secret: '' }),
      '401 invalid_client',
    ],
    ['without a colon in its credentials', () => basic(machine.id), '400 invalid_request'],
    [
      'with credentials that are not base64',
      () => market.post('/token', CREDENTIALS, { Authorization: 'Basic %%%' }),
      '400 invalid_request',
    ],
    ['with credentials that are wrongly percent-encoded', () => basic(`${machine.id}:%zz`), '400 invalid_request'],
    ['with a NUL byte in its credentials', () => basic(`${machine.id}:\0`), '400 invalid_request'],
    [
      'with its secret as a bearer token',
      () => market.post('/token', CREDENTIALS, { Authorization: `Bearer ${machine.secret}` }),
      '400 invalid_request',
    ],
    [
      'with its secret in the query',
      () => market.post(`/token?client_id=${machine.id}&client_secret=${machine.secret}`, CREDENTIALS),
      '400 invalid_request',
    ],
    [
      'with its secret both in the header and in the body',
      () => market.postAs(machine, '/token', { ...CREDENTIALS, client_id: machine.id, client_secret: machine.secret }),
      '400 invalid_request',
    ],
    [
      'with another client in the body than in the header',
      () => market.postAs(machine, '/token', { ...CREDENTIALS, client_id: web.id }),
      '400 invalid_request',
    ],
    [
      'with two ids',
      () => inBody({ client_id: [machine.id, web.id], client_secret: machine.secret }),
      '400 invalid_request',
    ],
    [
      'with two secrets',
      () => inBody({ client_id: machine.id, client_secret: [machine.secret ?? '', 'x'] }),
      '400 invalid_request',
    ],
    [
      'with an assertion in place of a secret',
      () =>
        inBody({
          client_id: machine.id,
          client_assertion: 'a.b.c',
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        }),
      '401 invalid_client',
    ],
    ['that is unknown', () => inBody({ client_id: UNKNOWN }), '401 invalid_client'],
    ['that is unknown, with a secret', () => inBody({ client_id: UNKNOWN, client_secret: 'x' }), '401 invalid_client'],
    [
      'whose id is in upper case',
      () => market.postAs({ ...machine, id: machine.id.toUpperCase() }, '/token', CREDENTIALS),
      '401 invalid_client',
    ],
    ['whose id has 10,000 characters', () => inBody({ client_id: 'x'.repeat(10_000) }), '401 invalid_client'],
    [
      'whose id has a NUL byte',
      () => inBody({ client_id: `${machine.id}\0`, client_secret: machine.secret }),
      '401 invalid_client',
    ],
    ['whose id is __proto__', () => inBody({ client_id: '__proto__' }), '401 invalid_client'],
    ['that is a name of a record of another kind', () => inBody({ client_id: 'sha256:x' }), '401 invalid_client'],
    ['without an id', () => inBody({}), '400 invalid_request'],
    ['that is native and acts for itself', () => market.postAs(native, '/token', CREDENTIALS), '400 invalid_request'],
    ['that is a web app and acts for itself', () => market.postAs(web, '/token', CREDENTIALS), '400 invalid_request'],
    ['that is a machine and asks a person', asked(() => machine), '400 invalid_redirect_uri'],
    [
      'that is a machine and asks for a device',
      () => market.postAs(machine, DEVICE, { scope: READ }),
      '400 invalid_request',
    ],
    [
      'that is a web app and asks for a device',
      () => market.postAs(web, DEVICE, { scope: READ }),
      '400 invalid_request',
    ],
    ['that is unknown and asks a person', asked(() => ({ id: UNKNOWN })), '400 invalid_client'],
    ['of 5,000 characters that asks a person', asked(() => ({ id: 'x'.repeat(5_000) })), '400 invalid_client'],
    ['without an id that asks a person', asked(() => native, { client_id: undefined }), '400 invalid_request'],
    [
      'with two ids that asks a person',
      () => market.ask(native, { client_id: [native.id, web.id] }),
      '400 invalid_request',
    ],
    [
      'of a developer who was suspended',
      async () => {
        await market.member('carol');
        const client = await market.register('machine', { by: 'carol' });
        await market.suspend('carol');
        return market.postAs(client, '/token', CREDENTIALS);
      },
      '401 invalid_client',
    ],
    [
      'of a developer who was suspended, that asks a person',
      async () => {
        await market.member('dave');
        const client = await market.register('native', { by: 'dave' });
        await market.suspend('dave');
        return market.ask(client);
      },
      '400 invalid_client',
    ],
    [
      'that revokes a token without its secret',
      () => market.post('/token/revocation', { client_id: web.id, token: 'x' }),
      '401 invalid_client',
    ],
    [
      'that revokes an access token, which has an end of its own',
      async () => {
        const { access_token: token } = await market.tokens(native);
        return market.postAs(native, '/token/revocation', { token });
      },
      '400 unsupported_token_type',
    ],
    ['that revokes no token', () => market.postAs(native, '/token/revocation', {}), '400 invalid_request'],
    [
      'that registers itself',
      () => market.post('/reg', '{"redirect_uris":["https://evil.example"]}', { 'Content-Type': 'application/json' }),
      '404 not-found',
    ],
    [
      'that asks what a token is for',
      () => market.postAs(native, '/token/introspection', { token: 'x' }),
      '404 not-found',
    ],
    ['that pushes its request', () => market.postAs(native, '/request', {}), '404 not-found'],
    [
      'that asks who the person is',
      () =>
        send(market.url, {
          method: 'GET',
          path: '/oauth/me',
          headers: { Authorization: 'Bearer x', Accept: 'application/json' },
        }),
      '404 not-found',
    ],
  ]);
});

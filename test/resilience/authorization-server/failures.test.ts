import { expect } from 'chai';
import { OPERATOR, parseDeveloperId } from '../../../domain/access.js';
import { DomainError } from '../../../domain/errors.js';
import { signedIn } from '../../support/signed-in.js';
import { overMemory, wrapped } from '../../support/repositories.js';
import { Devices } from '../../integration/authorization-server/hostile/devices.js';
import {
  Market,
  type Client,
  type Fields,
  type Tokens,
} from '../../integration/authorization-server/hostile/market.js';
import { outcomeOf } from '../../integration/authorization-server/hostile/outcome.js';

const ACCEPTED = 'ACCEPTED 200';
const GONE = '400 invalid_grant';
const FAILED = '500 server_error';
/** The keys of the server are read now and then. */
const READS_KEYS = 'list';
const EVERY_SCOPE = 'automations:read automations:write';

/** What happens at one of the calls of the records. */
interface Event {
  /** Counts down to the call. */
  calls: number;
  /** Whether it also happens at all calls after that. */
  readonly lasts?: boolean;
  readonly before?: () => Promise<unknown>;
  readonly afterwards?: () => Promise<unknown>;
}

/** What is exchanged for tokens. */
interface Kind {
  /** Returns one that a person has just allowed. */
  readonly fresh: (visitor?: Market['ada']) => Promise<Fields>;
  /** The outcome of another try when the answer to the last call was lost: with a refresh token, the answer of it. */
  readonly whenSpent: string;
}

const fail = () => Promise.reject(new DomainError('unavailable', 'store-unavailable', 'The storage is not reachable.'));

describe('During a request for tokens', () => {
  let market: Market;
  let app: Client;
  let devices: Devices;
  let event: Event | undefined;

  /** Returns a port at whose calls things happen. */
  const eventful = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return async (...args: readonly unknown[]) => {
          const counted = name === READS_KEYS ? undefined : event;
          if (counted !== undefined) counted.calls -= 1;
          const now = counted?.calls === 0 || (counted?.lasts && counted.calls < 0) ? counted : undefined;
          await now?.before?.();
          const result: unknown = await value.apply(target, args);
          await now?.afterwards?.();
          return result;
        };
      },
    });

  before(async () => {
    const storage = wrapped(overMemory(), (port, name) => (name === 'oauthRecords' ? eventful(port) : port));
    market = await Market.open({ repositories: storage });
    app = await market.register('native');
    devices = new Devices(market, app);
  });
  afterEach(() => (event = undefined));
  after(() => market.service.close());

  const kinds: Readonly<Record<string, Kind>> = {
    'a refresh token': {
      fresh: async (visitor) => {
        const { refresh_token: token } = await market.tokens(app, {}, visitor);
        return { grant_type: 'refresh_token', refresh_token: token };
      },
      whenSpent: ACCEPTED,
    },
    'a code': { fresh: async (visitor) => market.fieldsOf(await market.code(app, {}, visitor)), whenSpent: GONE },
    'a device code': {
      fresh: async (visitor) => {
        const device = await devices.start(app, { scope: EVERY_SCOPE });
        await devices.allow(device, visitor);
        return devices.fieldsOf(device.device_code);
      },
      whenSpent: GONE,
    },
  };

  const ask = (fields: Fields, path = '/token') => market.postAs(app, path, fields);
  /** Sends a request at whose call of this number something happens. */
  const askWith = async (fields: Fields, happens: Event, path?: string) => {
    event = happens;
    const sent = await ask(fields, path);
    event = undefined;
    return sent;
  };
  /** Returns how many calls of the records a request takes. */
  const callsOf = async (fields: Fields) => {
    const counted: Event = { calls: 0 };
    expect(outcomeOf(await askWith(fields, counted))).to.equal(ACCEPTED);
    return -counted.calls;
  };
  const stored = async () => {
    const kept = ['refresh-token', 'refresh-answer'].map((kind) => market.records.list({ kind, limit: 1_000 }));
    return (await Promise.all(kept)).flat().filter(({ clientId }) => clientId === app.id);
  };

  it('uses a refresh token again 10 s later: after a failure the next try ends the connection', async () => {
    for (let failing = 1, hasFailed = true; hasFailed; failing += 1) {
      const { refresh_token: token } = await market.tokens(app);
      const fields = { grant_type: 'refresh_token', refresh_token: token };
      const { access_token: access } = JSON.parse((await ask(fields)).body) as Tokens;
      const first = await market.later(10, () => askWith(fields, { calls: failing, lasts: true, before: fail }));
      hasFailed = first.status >= 500;
      expect(hasFailed || failing > 4, `call ${failing}`).to.equal(true);
      expect(outcomeOf(await market.later(10, () => ask(fields))), `call ${failing}`).to.equal(GONE);
      expect((await market.read(access)).status, `call ${failing}`).to.equal(401);
    }
  });

  it('that gives a refresh token back, the connection ends at the next try after a failure', async () => {
    const path = '/token/revocation';
    for (let failing = 1, hasFailed = true; hasFailed; failing += 1) {
      const { access_token: access, refresh_token: token } = await market.tokens(app);
      const first = await askWith({ token }, { calls: failing, lasts: true, before: fail }, path);
      hasFailed = first.status >= 500;
      expect(hasFailed || failing > 4, `call ${failing}`).to.equal(true);
      expect((await ask({ token }, path)).status, `call ${failing}`).to.equal(200);
      expect((await market.read(access)).status, `call ${failing}`).to.equal(401);
    }
  });

  for (const [name, { fresh, whenSpent }] of Object.entries(kinds)) {
    it(`${name} is as before when any call of the store fails`, async () => {
      const calls = await callsOf(await fresh());
      expect(calls).to.be.above(4);
      for (let failing = 1; failing <= calls; failing += 1) {
        const fields = await fresh();
        const refused = await askWith(fields, { calls: failing, before: fail });
        expect(outcomeOf(refused), `call ${failing}`).to.equal(FAILED);
        expect(outcomeOf(await ask(fields)), `call ${failing}`).to.equal(ACCEPTED);
      }
    });

    it(`${name} is spent only by the last call of the store, also when its answer is lost`, async () => {
      const calls = await callsOf(await fresh());
      for (let failing = 1; failing <= calls; failing += 1) {
        const fields = await fresh();
        const refused = await askWith(fields, { calls: failing, afterwards: fail });
        expect(outcomeOf(refused), `call ${failing}`).to.equal(FAILED);
        const expected = failing === calls ? whenSpent : ACCEPTED;
        expect(outcomeOf(await ask(fields)), `call ${failing}`).to.equal(expected);
      }
    });

    it(`${name} of a person who is suspended at any moment goes on when they are restored`, async () => {
      const person = `suspended-with-${name.replaceAll(' ', '-')}`;
      const visitor = await market.member(person);
      const calls = await callsOf(await fresh(visitor));
      // A suspension also ends the session of the browser.
      const allowed: Fields[] = [];
      for (let at = 1; at <= calls; at += 1) allowed.push(await fresh(visitor));
      for (const [index, fields] of allowed.entries()) {
        const at = index + 1;
        const before = () => market.core.accounts.suspend(OPERATOR, person);
        const first = await askWith(fields, { calls: at, before });
        await market.core.accounts.restore(OPERATOR, person);
        const last = outcomeOf(first) === ACCEPTED ? first : await ask(fields);
        const { access_token: token } = JSON.parse(last.body) as Tokens;
        expect((await market.read(token)).status, `call ${at}`).to.equal(200);
      }
    });

    it(`${name} of a connection that ends meanwhile gives nothing that works and leaves nothing`, async () => {
      const person = `disconnected-with-${name.replaceAll(' ', '-')}`;
      const visitor = await market.member(person);
      const by = signedIn({ developerId: parseDeveloperId(person) });
      const calls = await callsOf(await fresh(visitor));
      for (let at = 1; at <= calls; at += 1) {
        const fields = await fresh(visitor);
        const before = async () => {
          const { items } = await market.core.connections.list(by, { limit: 1 });
          await market.core.connections.disconnect(by, items[0]?.id ?? '');
        };
        const first = await askWith(fields, { calls: at, before });
        const { access_token: token } = JSON.parse(first.body) as Partial<Tokens>;
        if (token !== undefined) expect((await market.read(token)).status, `call ${at}`).to.equal(401);
        expect(outcomeOf(await ask(fields)), `call ${at}`).to.equal(GONE);
      }
      // That of the request which counted the calls goes on.
      const left = (await stored()).filter(({ developerId }) => developerId === person);
      expect(new Set(left.map(({ grantId }) => grantId)).size).to.be.at.most(1);
    });
  }
});

import { expect } from 'chai';
import { createHmac } from 'node:crypto';
import { OPERATOR } from '../../../domain/access.js';
import { CORE } from '../../../composition/tokens.js';
import { newKey, type SigningKey } from '../../support/issuer.js';
import { PASSWORD, startPanel, type PanelService } from '../../support/panel.js';
import { Visitor } from '../../support/panel-visitor.js';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  CODE,
  signInSettings,
  startScriptedIssuer,
  tokens,
  type ScriptedIssuer,
  type TokenAnswer,
} from '../../support/scripted-issuer.js';

/** One sign-in that has begun: what the issuer was told, and the browser that waits. */
interface Begun {
  readonly issuer: ScriptedIssuer;
  readonly other: SigningKey;
  readonly visitor: Visitor;
  readonly state: string;
  readonly nonce: string;
}

/** What is wrong: the claims, the token, the answer of the token endpoint, or the way back. */
interface Row {
  readonly claims?: (now: number) => object;
  readonly token?: (begun: Begun, claims: object) => string | Promise<string>;
  readonly answer?: (begun: Begun, token: string) => TokenAnswer;
  readonly back?: (begun: Begun, query: URLSearchParams) => unknown;
  /** What happens before the browser comes back. */
  readonly before?: (begun: Begun) => unknown;
}

const LONG = 'a'.repeat(256);
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const claims = (changed: object): Row => ({ claims: () => changed });
const timed = (changed: NonNullable<Row['claims']>): Row => ({ claims: changed });
const token = (make: NonNullable<Row['token']>): Row => ({ token: make });
const answer = (make: NonNullable<Row['answer']>): Row => ({ answer: make });
const back = (change: NonNullable<Row['back']>): Row => ({ back: change });
const members = (changed: object) => answer((_begun, id) => tokens({ ...good(id), ...changed }));
const good = (id: string) => ({ access_token: 'an access token', token_type: 'Bearer', id_token: id });
const hmac = (secret: string, input: string) => createHmac('sha256', secret).update(input).digest('base64url');
const hs256 = (secretOf: (begun: Begun) => string): Row =>
  token((begun, all) => {
    const input = `${part({ alg: 'HS256', kid: begun.issuer.key.kid })}.${part(all)}`;
    return `${input}.${hmac(secretOf(begun), input)}`;
  });

const HOSTILE: Readonly<Record<string, Row>> = {
  'another nonce': claims({ nonce: 'another' }),
  'no nonce': claims({ nonce: undefined }),
  'an empty nonce': claims({ nonce: '' }),
  'a number as the nonce': claims({ nonce: 7 }),
  'the nonce in a list': token((begun, all) => begun.issuer.sign({ ...all, nonce: [begun.nonce] })),
  'another issuer': claims({ iss: 'https://login.example' }),
  'the issuer with a slash': token((begun, all) => begun.issuer.sign({ ...all, iss: `${begun.issuer.url}/` })),
  'the issuer in capitals': token((begun, all) => begun.issuer.sign({ ...all, iss: begun.issuer.url.toUpperCase() })),
  'the issuer in a list': token((begun, all) => begun.issuer.sign({ ...all, iss: [begun.issuer.url] })),
  'no issuer': claims({ iss: undefined }),
  'another audience': claims({ aud: 'another' }),
  'a longer audience': claims({ aud: `${CLIENT_ID}-test` }),
  'no audience': claims({ aud: undefined }),
  'audiences without ours': claims({ aud: ['one', 'other'] }),
  'two audiences and no authorized party': claims({ aud: [CLIENT_ID, 'other'] }),
  'two audiences and another authorized party': claims({ aud: [CLIENT_ID, 'other'], azp: 'other' }),
  'an object as the audience': claims({ aud: { [CLIENT_ID]: true } }),
  'a number as the audience': claims({ aud: 7 }),
  'another authorized party': claims({ azp: 'other' }),
  'expired two minutes ago': timed((now) => ({ iat: now - 600, exp: now - 120 })),
  'no expiry': claims({ exp: undefined }),
  'a text as the expiry': timed((now) => ({ exp: `${now + 300}` })),
  'nothing as the expiry': claims({ exp: null }),
  'issued in two minutes': timed((now) => ({ iat: now + 120, exp: now + 600 })),
  'issued in a year': timed((now) => ({ iat: now + 31_536_000, exp: now + 31_537_000 })),
  'not issued at any time': claims({ iat: undefined }),
  'a text as the time of issue': timed((now) => ({ iat: `${now}` })),
  'valid from two minutes on': timed((now) => ({ nbf: now + 120 })),
  'a text as the start': timed((now) => ({ nbf: `${now}` })),
  'a text as the time of sign-in': claims({ auth_time: 'now' }),
  'no subject': claims({ sub: undefined }),
  'an empty subject': claims({ sub: '' }),
  'a number as the subject': claims({ sub: 7 }),
  'true as the subject': claims({ sub: true }),
  'a list as the subject': claims({ sub: ['ada'] }),
  'an object as the subject': claims({ sub: { id: 'ada' } }),
  'a subject that is too long': claims({ sub: LONG }),
  'a subject of two lines': claims({ sub: 'ada\nbob' }),
  'a subject with a blank at its end': claims({ sub: 'ada ' }),
  'a subject of a control character': claims({ sub: 'ada\u0000' }),
  'a subject of half a character': claims({ sub: 'ada\uD800' }),
  'a subject of 600 KB': claims({ sub: 'a'.repeat(600_000) }),
  'claims of 600 KB': claims({ more: 'a'.repeat(600_000) }),
  'a number as the session': claims({ sid: 7 }),
  'a list as the session': claims({ sid: ['one'] }),
  'a session that is too long': claims({ sid: LONG }),
  'no groups': claims({ groups: undefined }),
  'groups that give no role': claims({ groups: ['guests'] }),
  'a group in capitals': claims({ groups: ['SELLERS'] }),
  'groups in one text': claims({ groups: 'sellers,admins' }),
  'true as the groups': claims({ groups: true }),
  'a number as the groups': claims({ groups: 7 }),
  'groups by name': claims({ groups: { sellers: true } }),
  'groups in a list of lists': claims({ groups: [['sellers']] }),
  'a list of 100,000 groups that give no role': claims({ groups: Array.from({ length: 20_000 }, (_, n) => `g${n}`) }),
  'groups that are elsewhere': claims({ groups: undefined, _claim_names: { groups: 'src1' } }),
  'no signature': token((_begun, all) => `${part({ alg: 'none' })}.${part(all)}.`),
  'none in capitals': token((_begun, all) => `${part({ alg: 'NONE' })}.${part(all)}.`),
  'no algorithm': token((_begun, all) => `${part({})}.${part(all)}.`),
  "a signature by the client's secret": hs256(() => CLIENT_SECRET),
  'a signature by the public key': hs256((begun) => begun.issuer.key.jwk.n ?? ''),
  'the signature of another key': token((begun, all) =>
    begun.issuer.sign(all, { kid: begun.issuer.key.kid }, begun.other),
  ),
  'a key that is not published': token((begun, all) => begun.issuer.sign(all, {}, begun.other)),
  'a key that stands in the token': token(({ issuer, other }, all) => {
    const { kty, n, e } = other.jwk;
    return issuer.sign(all, { kid: issuer.key.kid, jwk: { kty, n, e } }, other);
  }),
  'an empty signature': token(async (begun, all) => (await begun.issuer.sign(all)).replace(/[^.]*$/, '')),
  'half a signature': token(async (begun, all) => (await begun.issuer.sign(all)).slice(0, -100)),
  'claims that were changed': token(async (begun, all) => {
    const [header, , signature] = (await begun.issuer.sign(all)).split('.');
    return `${header}.${part({ ...all, groups: ['admins'] })}.${signature}`;
  }),
  'five parts': token(async (begun, all) => `${await begun.issuer.sign(all)}.a.b`),
  'no token but a text': token(() => 'token'),
  'claims that are no object': token((begun) => begun.issuer.sign(['ada'])),
  'no token': members({ id_token: undefined }),
  'a number as the token': members({ id_token: 7 }),
  'no access token': members({ access_token: undefined }),
  'no type of the access token': members({ token_type: undefined }),
  'a code that was used before': answer(() => tokens({ error: 'invalid_grant', error_description: CODE }, 400)),
  'a failure of the issuer': answer(() => tokens({ error: 'server_error' }, 500)),
  'an answer that is a page': answer(() => (_request, response) => response.end('<h1>Hello</h1>')),
  'an answer that is broken': answer(() => (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"id_token":');
  }),
  'an answer elsewhere': answer(({ issuer }) => (_request, response) => {
    response.writeHead(307, { Location: `${issuer.url}/elsewhere` }).end();
  }),
  'no answer': answer(() => (request) => request.socket.destroy()),
  'another state': back((_begun, query) => query.set('state', 'another')),
  'no state': back((_begun, query) => query.delete('state')),
  'an empty state': back((_begun, query) => query.set('state', '')),
  'the state twice': back(({ state }, query) => query.append('state', state)),
  'the address of another issuer': back((_begun, query) => query.set('iss', 'https://login.example')),
  'no address of an issuer, where it says that there is one': back((_begun, query) => query.delete('iss')),
  'the address of the issuer twice': back(({ issuer }, query) => query.append('iss', issuer.url)),
  'no code': back((_begun, query) => query.delete('code')),
  'two codes': back((_begun, query) => query.append('code', 'another')),
  'a token in the address': back((_begun, query) => query.append('id_token', 'token')),
  'an answer in one parameter': back((_begun, query) => query.append('response', 'token')),
  'a failure': back((_begun, query) => query.set('error', 'server_error')),
  'a refusal of the person': back((_begun, query) => query.set('error', 'access_denied')),
  'a refusal with markup': back((_begun, query) => query.set('error', `<b>${CODE}</b>`)),
  'a browser that did not begin': { before: ({ visitor }) => visitor.cookies.clear() },
  'a browser that has begun another sign-in': {
    before: ({ visitor }) => visitor.open('/panel/sign-in/organisation'),
  },
  'what the browser kept, changed': {
    before: ({ visitor }) => {
      for (const [name, value] of visitor.cookies) visitor.cookies.set(name, `${value.slice(0, -4)}AAAA`);
    },
  },
  'what the browser kept, made up': {
    before: ({ visitor }) => {
      for (const name of visitor.cookies.keys()) visitor.cookies.set(name, `${part({ alg: 'none' })}.${part({})}.`);
    },
  },
};

describe('A sign-in at an issuer', () => {
  let issuer: ScriptedIssuer;
  let service: PanelService;
  let other: SigningKey;

  before(async () => {
    other = await newKey('other');
    issuer = await startScriptedIssuer();
    service = await startPanel(signInSettings(issuer.url));
  });
  after(async () => {
    await service.close();
    await issuer.close();
  });

  const begin = async (): Promise<Begun> => {
    const visitor = new Visitor(service.url);
    const location = (await visitor.open('/panel/sign-in/organisation')).headers.get('location') ?? '';
    const { searchParams: asked } = new URL(location);
    return { issuer, other, visitor, state: asked.get('state') ?? '', nonce: asked.get('nonce') ?? '' };
  };
  const comeBack = async (row: Row) => {
    const begun = await begin();
    const all = issuer.claims(begun.nonce, row.claims?.(Date.now() / 1000));
    const id = await (row.token?.(begun, all) ?? issuer.sign(all));
    issuer.answer = row.answer?.(begun, id) ?? tokens(good(id));
    const query = new URLSearchParams({ code: CODE, state: begun.state, iss: issuer.url });
    row.back?.(begun, query);
    await row.before?.(begun);
    return {
      id,
      visitor: begun.visitor,
      query,
      sent: await begun.visitor.open(`/panel/signed-in?${query.toString()}`),
    };
  };
  const isSignedIn = async (visitor: Visitor) => (await visitor.open('/panel/account')).status === 200;
  const people = () => service.container.get(CORE).accounts.count(OPERATOR);

  for (const [name, row] of Object.entries(HOSTILE))
    it(`with ${name} signs nobody in, makes no account, and logs why, without token and code`, async () => {
      const [before, lines] = [await people(), service.logged.length];
      const { id, sent, visitor } = await comeBack(row);
      expect(sent.status).to.be.within(400, 503);
      expect(sent.body).to.include('Request id');
      expect(await isSignedIn(visitor)).to.equal(false);
      expect(await people()).to.equal(before);
      const logged = service.logged.slice(lines).join('\n');
      expect(logged).to.match(/"route":"\/panel\/signed-in","status":\d+,"problem":"[a-z-]+","reason":"[^"]/);
      expect(logged).to.not.include(CODE);
      if (id.length > 10) expect(logged).to.not.include(id.slice(0, 30));
    });

  it('has more than 60 hostile answers', () => {
    expect(Object.keys(HOSTILE).length).to.be.greaterThan(90);
  });

  it('whose answers are right signs one in, once', async () => {
    const { sent, visitor, query } = await comeBack({});
    expect(sent.status).to.equal(303);
    expect(await isSignedIn(visitor)).to.equal(true);
    expect((await visitor.open(`/panel/signed-in?${query.toString()}`)).status).to.equal(400);
  });

  for (const [name, row] of Object.entries({
    'a clock that is 50 s fast': timed((now) => ({ iat: now + 50, nbf: now + 50, exp: now + 350 })),
    'a clock that is 50 s slow': timed((now) => ({ iat: now - 360, exp: now - 20 })),
    'two audiences, one of which is authorized': claims({ aud: [CLIENT_ID, 'other'], azp: CLIENT_ID }),
    'one group that is a text': claims({ groups: 'sellers' }),
  }))
    it(`with ${name} is taken`, async () => {
      const { sent, visitor } = await comeBack(row);
      expect(sent.status, sent.body).to.equal(303);
      expect(await isSignedIn(visitor)).to.equal(true);
    });
});

describe('The page that signs in', () => {
  const START = '/panel/sign-in/organisation';
  let issuer: ScriptedIssuer;
  beforeEach(async () => {
    issuer = await startScriptedIssuer();
  });
  afterEach(() => issuer.close());

  const shown = async (
    settings: Readonly<Record<string, string>>,
    check: (visitor: Visitor, service: PanelService) => unknown,
  ) => {
    const service = await startPanel(settings);
    try {
      await check(new Visitor(service.url), service);
    } finally {
      await service.close();
    }
  };
  const PASSWORDS = 'name="password"';

  it('has passwords alone without an issuer, and nothing at the addresses of one', () =>
    shown({}, async (visitor) => {
      const { body } = await visitor.open('/panel/sign-in');
      expect(body).to.include(PASSWORDS).and.not.include(START);
      for (const path of [START, '/panel/signed-in']) expect((await visitor.open(path)).status).to.equal(404);
    }));

  it('has a link to an issuer, with the page that was asked for, and passwords next to it', () =>
    shown(signInSettings(issuer.url), async (visitor) => {
      const { body } = await visitor.open('/panel/sign-in?next=/panel/keys');
      expect(body).to.include(PASSWORDS).and.include(`href="${START}?next=%2Fpanel%2Fkeys">Sign in with Example</a>`);
    }));

  it('has the link alone with PASSWORDS=off; accounts for emergencies sign in at /panel/sign-in?password', () =>
    shown({ ...signInSettings(issuer.url), PASSWORDS: 'off' }, async (visitor, service) => {
      expect((await visitor.open('/panel/sign-in')).body)
        .to.include(START)
        .and.not.include(PASSWORDS);
      expect((await visitor.open('/panel/sign-in?password')).body).to.include(PASSWORDS);
      const { accounts } = service.container.get(CORE);
      const [bob, eve] = [new Visitor(service.url), new Visitor(service.url)];
      await bob.accept(await service.invite('bob'), 'bob');
      await eve.accept(await service.invite('eve'), 'eve');
      await accounts.setRole(OPERATOR, 'bob', 'operator');
      await accounts.invite(OPERATOR, 'bob', { isForEmergencies: true });
      const refused = await eve.submit('/panel/sign-in?password', { name: 'eve', password: PASSWORD });
      expect([refused.status, refused.body.includes('Name or password is wrong')]).to.deep.equal([403, true]);
      expect(refused.body).to.include('action="/panel/sign-in?password"');
      expect((await bob.submit('/panel/sign-in?password', { name: 'bob', password: PASSWORD })).status).to.equal(303);
      expect((await bob.open('/panel/operator/developers')).body).to.not.include('Invite');
      const invited = await bob.submit('/panel/operator/developers', { developer: 'new-one', role: '' });
      expect([invited.status, invited.body.includes('Passwords are off here')]).to.deep.equal([409, true]);
      expect(await accounts.find(OPERATOR, 'new-one')).to.equal(undefined);
    }));

  it('says that an issuer does not answer, takes passwords then, and has the link again once it does', async () => {
    issuer.isDown = true;
    await shown(signInSettings(issuer.url), async (visitor, service) => {
      expect((await visitor.open(START)).body)
        .to.include('Example does not answer')
        .and.include('Request id');
      expect((await visitor.open('/panel/sign-in')).body)
        .to.include('You cannot sign in with Example now')
        .and.include(PASSWORDS)
        .and.not.include(START);
      expect(service.logged.filter((line) => line.includes('the issuer of the sign-in cannot be read'))).to.have.length(
        1,
      );
      await new Visitor(service.url).accept(await service.invite('bob'), 'bob');
      expect((await visitor.signIn('bob')).status).to.equal(303);
      issuer.isDown = false;
      const again = new Visitor(service.url);
      expect((await again.open(START)).status).to.equal(303);
      expect((await again.open('/panel/sign-in')).body).to.include(START);
    });
  });

  for (const [name, metadata] of Object.entries({
    'of another issuer': { issuer: 'https://login.example' },
    'of a pattern of issuers': { issuer: 'https://login.example/{tenantid}/v2.0' },
    'without a token endpoint that is safe': { token_endpoint: 'http://192.0.2.1/token' },
    'without keys': { jwks_uri: undefined },
  }))
    it(`leads nobody through an issuer whose metadata is ${name}`, async () => {
      Object.assign(issuer.metadata, metadata);
      await shown(signInSettings(issuer.url), async (visitor) => {
        const started = await visitor.open(START);
        if (started.status === 503) return;
        const { searchParams } = new URL(started.headers.get('location') ?? '');
        issuer.answer = tokens(good(await issuer.sign(issuer.claims(searchParams.get('nonce') ?? ''))));
        const query = new URLSearchParams({ code: CODE, state: searchParams.get('state') ?? '', iss: issuer.url });
        expect((await visitor.open(`/panel/signed-in?${query.toString()}`)).status).to.be.within(400, 503);
      });
    });

  it('shows no link to sign out of an issuer that is no address of the web', async () => {
    issuer.metadata['end_session_endpoint'] = 'javascript://127.0.0.1/%0Aalert(1)';
    await shown(signInSettings(issuer.url), async (visitor) => {
      await visitor.open(START);
      expect((await visitor.open('/panel/sign-in?notice=signed-out')).body).to.not.include('javascript:');
    });
  });

  it('gives everyone with a required claim one role, once, and an operator changes it', async () => {
    const { SIGN_IN_NAME: _name, ...all } = signInSettings(issuer.url);
    const open = Object.entries(all).filter(([name]) => !/ROLES|OPERATORS|DEVELOPERS|BUYERS/.test(name));
    const settings = { ...Object.fromEntries(open), SIGN_IN_REQUIRE: 'hd=corp.example', SIGN_IN_SUBJECT: 'oid' };
    await shown(settings, async (_visitor, service) => {
      const signIn = async (claims: object) => {
        const visitor = new Visitor(service.url);
        const { searchParams } = new URL((await visitor.open(START)).headers.get('location') ?? '');
        issuer.answer = tokens(good(await issuer.sign(issuer.claims(searchParams.get('nonce') ?? '', claims))));
        const query = new URLSearchParams({ code: CODE, state: searchParams.get('state') ?? '', iss: issuer.url });
        return visitor.open(`/panel/signed-in?${query.toString()}`);
      };
      for (const hd of [undefined, 'other.example', true, ['other.example']])
        expect((await signIn({ hd, oid: 'o-1' })).body).to.include('This account cannot sign in here');
      expect((await signIn({ hd: 'corp.example' })).body).to.include('The sign-in failed');
      expect((await signIn({ hd: 'corp.example', oid: 'o-1' })).headers.get('location')).to.equal('/panel');
      const { accounts } = service.container.get(CORE);
      const [account] = (await accounts.list(OPERATOR, { text: 'o-1' })).items;
      const id = account?.id ?? '';
      expect([account?.role, account?.identities?.[0]?.subject]).to.deep.equal(['buyer', 'o-1']);
      await accounts.setRole(OPERATOR, id, 'developer');
      expect((await signIn({ hd: 'corp.example', oid: 'o-1' })).status).to.equal(303);
      expect((await accounts.find(OPERATOR, id))?.role).to.equal('developer');

      // An access token had made this account.
      const sold = await service.container.get(CORE).identities.accountOf({ issuer: issuer.url, subject: 'o-2' });
      expect((await signIn({ hd: 'corp.example', oid: 'o-2' })).status).to.equal(303);
      expect((await accounts.find(OPERATOR, sold))?.role).to.equal('developer');
    });
  });
});

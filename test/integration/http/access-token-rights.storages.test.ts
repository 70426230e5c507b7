import { expect } from 'chai';
import { parseDeveloperId } from '../../../domain/access.js';
import { numbers } from '../../contracts/offers.js';
import { claimsOf, signed, type Claims } from '../oauth/token.js';
import { failureOf } from '../../unit/domain/failure.js';
import { AUDIENCE, startIssuer, type Issuer } from '../../support/issuer.js';
import { signIn } from '../../support/person.js';
import { startService } from '../../support/service.js';
import { Client, created, draft, slugOf } from '../../support/service/client.js';
import { onEveryStorage } from '../../support/service/on-every-storage.js';
import { signedIn } from '../../support/signed-in.js';

const settingsOf = ({ url }: Issuer) => ({ OAUTH_ISSUER: url, OAUTH_AUDIENCE: AUDIENCE });

onEveryStorage('Access tokens of an issuer', (stage) => {
  let issuer: Issuer;
  before(async () => {
    issuer = await startIssuer();
  });
  after(() => issuer.leave());

  /** Asserts that these are all accounts, by issuer and subject, and that their ids say nothing of them. */
  async function assertAccounts(...expected: readonly (readonly [issuer: string, subject: string])[]): Promise<void> {
    const { developers } = stage.service.repositories;
    const ids = (await developers.list({ limit: 100 })).map(({ id }) => id);
    for (const id of ids) expect(id).to.match(/^person-[a-z0-9]{10}$/);
    const known = await developers.listIdentities(ids);
    expect(known.map(({ issuer: by, subject }) => [by, subject])).to.have.deep.members(expected);
    expect(new Set(known.map(({ developerId }) => developerId))).to.have.length(ids.length);
  }
  beforeEach(async () => {
    await stage.restart({ settings: settingsOf(issuer) });
  });

  it('let a program list and create in its own name', async () => {
    const client = stage.client(await issuer.token());
    const offered = created(await client.post(draft(1)));
    await assertAccounts([issuer.url, 'robot']);
    expect(await client.ids()).to.deep.equal([offered.id]);
    const read = await client.get(`/automations/${offered.id}`);
    expect(JSON.parse(read.text)).to.deep.equal(offered);
  });

  it('let a person who agreed in the browser do so', async () => {
    const { accessToken } = await signIn(issuer.url, 'grace', 'automations:read automations:write');
    created(await stage.client(accessToken).post(draft(1)));
    await assertAccounts([issuer.url, 'grace']);
  });

  it('make one account for one person, whose first requests come at once, and tell of it once', async () => {
    const token = await issuer.token();
    const answers = await Promise.all(numbers(20).map((n) => stage.client(token).post(draft(n))));
    const owners = new Set(answers.map((answer) => created(answer).developer_id));
    expect(owners).to.have.length(1);
    await assertAccounts([issuer.url, 'robot']);
    const entries = await stage.service.repositories.auditLog.list({ limit: 100 });
    const added = entries.filter(({ action }) => action === 'developer-added');
    expect(added.map(({ actor, developerId }) => [actor, developerId])).to.deep.equal([['developer', ...owners]]);
  });

  it('of two issuers with one subject are of two people', async () => {
    const other = await startIssuer();
    const mine = created(await stage.client(await issuer.token()).post(draft(1)));
    const { repositories } = stage.service;
    const next = await startService({ repositories: Promise.resolve(repositories), settings: settingsOf(other) });
    const client = new Client(next.url, await other.token());
    expect(created(await client.post(draft(2))).developer_id).to.not.equal(mine.developer_id);
    await assertAccounts([issuer.url, 'robot'], [other.url, 'robot']);
    client.close();
    next.server.close();
    await other.leave();
  });

  it('name their subject in another claim on demand, and are refused without it', async () => {
    await stage.restart({ settings: { ...settingsOf(issuer), OAUTH_SUBJECT: 'oid' } });
    const soon = Math.floor(Date.now() / 1000);
    const token = (claims: Claims) => signed(issuer.key, claimsOf(issuer, { iat: soon, exp: soon + 300, ...claims }));
    const statusOf = async (claims: Claims) => (await stage.client(token(claims)).get('/automations')).status;
    expect(await statusOf({ sub: 'of-app-1', oid: 'ada' })).to.equal(200);
    expect(await statusOf({ sub: 'of-app-2', oid: 'ada' })).to.equal(200);
    for (const oid of [undefined, '', 7, ['ada'], 'a\nb']) expect(await statusOf({ oid }), String(oid)).to.equal(401);
    await assertAccounts([issuer.url, 'ada']);
  });

  it('are refused from the suspension of their account on, and taken again after it', async () => {
    const token = await issuer.token();
    const statusOf = async () => (await stage.client(token).get('/automations')).status;
    const { developer_id: id } = created(await stage.client(token).post(draft(1)));
    const { developers } = stage.service.repositories;
    await developers.suspend(parseDeveloperId(id), { at: new Date(), keepOneOperator: false, entries: [] });
    expect([await statusOf(), await statusOf()]).to.deep.equal([401, 401]);
    await developers.restore({ id: parseDeveloperId(id), entries: [] });
    expect(await statusOf()).to.equal(200);
  });

  it('that are refused make no account', async () => {
    const soon = Math.floor(Date.now() / 1000);
    const ended = signed(issuer.key, claimsOf(issuer, { iat: soon - 900, exp: soon - 600 }));
    const foreign = signed(issuer.key, claimsOf(issuer, { iat: soon, exp: soon + 300, aud: 'https://other.example' }));
    for (const token of [ended, foreign, (await issuer.token()).slice(0, -9)])
      expect((await stage.client(token).get('/automations')).status).to.equal(401);
    await assertAccounts();
  });

  it('allow no more than their scopes; the challenge names those to ask for', async () => {
    const reader = await stage.client(await issuer.token('automations:read')).post(draft(1));
    const writer = await stage.client(await issuer.token('automations:write')).get('/automations');
    const stranger = await stage.client(await issuer.token('other')).get('/categories');
    for (const [answer, scopes] of [
      [reader, 'automations:read automations:write'],
      [writer, 'automations:read automations:write'],
      [stranger, 'automations:read'],
    ] as const) {
      expect([answer.status, slugOf(answer)]).to.deep.equal([403, 'insufficient-scope']);
      expect(answer.headers['www-authenticate']).to.include(`error="insufficient_scope", scope="${scopes}"`);
    }
  });

  it('leave keys as they are', async () => {
    expect(created(await stage.client(await stage.service.key('ada')).post(draft(1))).developer_id).to.equal('ada');
    expect((await stage.client('amk_').get('/automations')).status).to.equal(401);
  });

  it(
    'are nobody else: a subject named as a developer is another, ' +
      'in keys of idempotency and in what it may withdraw',
    async () => {
      const soon = Math.floor(Date.now() / 1000);
      const names = ['ada', 'Ada', 'ada:x', '__proto__', 'Zoë 🙂'];
      const mine = created(await stage.client(await stage.service.key('ada')).post(draft(1), 'same-key'));
      const [ids, owners] = [new Set([mine.id]), new Set([mine.developer_id])];
      for (const sub of names) {
        const token = signed(issuer.key, claimsOf(issuer, { sub, iat: soon, exp: soon + 300 }));
        const offered = created(await stage.client(token).post(draft(2), 'same-key'));
        ids.add(offered.id);
        owners.add(offered.developer_id);
        const person = signedIn({ developerId: parseDeveloperId(offered.developer_id) });
        expect((await failureOf(() => stage.service.marketplace.withdrawAutomation(person, mine.id))).kind).to.equal(
          'not-found',
        );
      }
      expect([ids.size, owners.size]).to.deep.equal([names.length + 1, names.length + 1]);
      const again = signed(issuer.key, claimsOf(issuer, { sub: 'ada', iat: soon, exp: soon + 200 }));
      expect((await stage.client(again).post(draft(2), 'same-key')).headers['idempotent-replayed']).to.equal('true');
    },
  );

  it('are unavailable while the issuer is away and nobody knows its keys; keys of ours are not', async () => {
    const token = await issuer.token();
    await issuer.leave();
    const answer = await stage.client(token).get('/automations');
    expect([answer.status, slugOf(answer), answer.headers['retry-after']]).to.deep.equal([503, 'unavailable', '2']);
    expect((JSON.parse(answer.text) as { detail: string }).detail).to.match(
      /^The issuer of the access token is not reachable/,
    );
    expect(stage.service.errors).to.have.length(1);
    expect((await stage.client(await stage.service.key()).get('/automations')).status).to.equal(200);
    expect((await stage.client('a.b.c').get('/automations')).status).to.equal(401);
    await issuer.comeBack();
  });
});

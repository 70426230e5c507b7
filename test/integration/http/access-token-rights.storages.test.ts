import { expect } from 'chai';
import { JwtAccessTokenVerifier } from '../../../adapters/oauth/index.js';
import { claimsOf, signed } from '../oauth/token.js';
import { failureOf } from '../../unit/domain/failure.js';
import { AUDIENCE, startIssuer, type Issuer } from '../../support/issuer.js';
import { signIn } from '../../support/person.js';
import { created, draft, slugOf } from '../../support/service/client.js';
import { onEveryStorage } from '../../support/service/on-every-storage.js';
import { signedIn } from '../../support/signed-in.js';

onEveryStorage('Access tokens of an issuer', (stage) => {
  let issuer: Issuer;
  let tokens: JwtAccessTokenVerifier;
  before(async () => {
    issuer = await startIssuer();
  });
  after(() => issuer.leave());
  beforeEach(async () => {
    tokens = new JwtAccessTokenVerifier({ issuer: issuer.url, audience: AUDIENCE });
    await stage.restart({ tokens });
  });

  it('let a program list and create in its own name', async () => {
    const client = stage.client(await issuer.token());
    const offered = created(await client.post(draft(1)));
    expect(offered.developer_id).to.equal('oauth:robot');
    expect(await client.ids()).to.deep.equal([offered.id]);
    const read = await client.get(`/automations/${offered.id}`);
    expect(JSON.parse(read.text)).to.deep.equal(offered);
  });

  it('let a person who agreed in the browser do so', async () => {
    const { accessToken } = await signIn(issuer.url, 'grace', 'automations:read automations:write');
    expect(created(await stage.client(accessToken).post(draft(1))).developer_id).to.equal('oauth:grace');
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
      const names = ['ada', 'oauth:ada', 'Ada', 'ada:x', '__proto__'];
      const mine = created(await stage.client(await stage.service.key('ada')).post(draft(1), 'same-key'));
      const ids = new Set([mine.id]);
      for (const sub of names) {
        const token = signed(issuer.key, claimsOf(issuer, { sub, iat: soon, exp: soon + 300 }));
        const offered = created(await stage.client(token).post(draft(2), 'same-key'));
        expect(offered.developer_id).to.equal(`oauth:${sub}`);
        ids.add(offered.id);
        const caller = await tokens.verify(token);
        if (caller === undefined) throw new Error('the token is good');
        expect(
          (await failureOf(() => stage.service.marketplace.withdrawAutomation(signedIn(caller), mine.id))).kind,
        ).to.equal('not-found');
      }
      expect(ids).to.have.length(names.length + 1);
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

import { expect } from 'chai';
import { BASES } from '../../../adapters/http/middleware/base-path.js';
import { InMemoryApiKeyRepository } from '../../../adapters/in-memory/index.js';
import { DeveloperKeys, OPERATOR } from '../../../application/index.js';
import { draft, slugOf, type Answer } from '../../support/service/client.js';
import { onEveryStorage, type Stage } from '../../support/service/on-every-storage.js';

const REALM = 'Bearer realm="automation-marketplace"';
const HOUR = 60 * 60 * 1000;

/** A key of each kind that opens nothing; the clock is the one that the service has. */
async function deadKeys({ service }: Stage, clock: { time: number }): Promise<Readonly<Record<string, string>>> {
  const revoked = await service.keys.issue(OPERATOR, { developer: 'ada' });
  await service.keys.revoke(OPERATOR, revoked.key.id);
  const expired = await service.key('ada', undefined, HOUR);
  clock.time += HOUR;
  const alive = await service.key('ada');
  const elsewhere = new DeveloperKeys(new InMemoryApiKeyRepository());
  const unknown = (await elsewhere.issue(OPERATOR, { developer: 'ada' })).text;
  const malformed = `${alive.slice(0, -1)}${alive.endsWith('0') ? '1' : '0'}`;
  return { malformed, foreign: 'x', unknown, expired, revoked: revoked.text };
}

function withoutInstance({ text }: Answer): string {
  const { instance, ...rest } = JSON.parse(text) as { instance: string };
  expect(instance).to.match(/^[A-Za-z0-9-]{1,64}$/);
  return JSON.stringify(rest);
}

function withoutTrace({ headers }: Answer): object {
  const { date, 'x-request-id': requestId, 'content-length': length, ...rest } = headers;
  for (const varying of [date, requestId, length]) expect(varying).to.be.a('string');
  return rest;
}

onEveryStorage('The challenge', (stage) => {
  const clock = { time: Date.UTC(2025, 0, 1) };
  beforeEach(() => stage.restart({ now: () => new Date(clock.time) }));

  it('has no error when there are no credentials', async () => {
    for (const authorization of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'bearer \t ',
      'Basic YTpi',
      'Bearerx',
      'Digest a="b"',
    ])
      for (const base of BASES) {
        const headers = authorization === undefined ? {} : { authorization };
        const answer = await stage.client(undefined, base).get('/automations', headers);
        expect(answer.status, authorization).to.equal(401);
        expect(slugOf(answer), authorization).to.equal('missing-credentials');
        expect(answer.headers['www-authenticate'], authorization).to.equal(REALM);
      }
  });

  it('is invalid_token for a malformed, unknown, expired or revoked key, in the very same answer', async () => {
    const answers = await Promise.all(
      Object.values(await deadKeys(stage, clock)).map((key) => stage.client(key).get('/automations')),
    );
    const [first] = answers;
    if (first === undefined) throw new Error('there are no dead keys');
    expect(answers).to.have.length(5);
    for (const answer of answers) {
      expect(answer.status).to.equal(401);
      expect(slugOf(answer)).to.equal('invalid-token');
      expect(answer.headers['www-authenticate']).to.equal(`${REALM}, error="invalid_token"`);
      expect(withoutInstance(answer)).to.equal(withoutInstance(first));
      expect(withoutTrace(answer)).to.deep.equal(withoutTrace(first));
    }
  });

  it('is insufficient_scope with the missing scope for a valid key without the right', async () => {
    const reader = await stage.client(await stage.service.key('ada', ['automations:read'])).post(draft(1));
    const writer = stage.client(await stage.service.key('ada', ['automations:write']));
    const refused = [
      { answer: reader, scope: 'automations:write' },
      { answer: await writer.get('/automations'), scope: 'automations:read' },
      { answer: await writer.get('/categories'), scope: 'automations:read' },
      { answer: await writer.get('/automations/x'), scope: 'automations:read' },
    ];
    for (const { answer, scope } of refused) {
      expect(answer.status).to.equal(403);
      expect(slugOf(answer)).to.equal('insufficient-scope');
      expect(answer.headers['www-authenticate']).to.equal(`${REALM}, error="insufficient_scope", scope="${scope}"`);
    }
  });

  it('takes the scheme in any case and any blanks before the key', async () => {
    const key = await stage.service.key();
    for (const authorization of [`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key}`, `bEaReR \t${key}`])
      expect((await stage.client().get('/automations', { authorization })).status, authorization).to.equal(200);
  });

  it('refuses a key in the query beside one in the header', async () => {
    const key = await stage.service.key();
    const answer = await stage.client(key).get(`/automations?access_token=${key}`);
    expect(answer.status).to.equal(400);
    expect(slugOf(answer)).to.equal('invalid-query');
    expect(answer.text).not.to.include(key);
  });
});

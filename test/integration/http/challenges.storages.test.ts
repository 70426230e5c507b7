import { expect } from 'chai';
import { InMemoryApiKeyRepository } from '../../../adapters/in-memory/index.js';
import { DeveloperKeys, OPERATOR } from '../../../application/index.js';
import { slugOf, type Answer } from '../../support/service/client.js';
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
      expect(answer.headers['www-authenticate']?.startsWith(`${REALM}, error="invalid_token"`)).to.equal(true);
      expect(withoutInstance(answer)).to.equal(withoutInstance(first));
      expect(withoutTrace(answer)).to.deep.equal(withoutTrace(first));
    }
  });
});

import { expect } from 'chai';
import { LargeBodies } from '../../../adapters/edge/middleware/large-bodies.js';
import type { Context } from '../../../adapters/edge/context.js';
import { DeveloperQuotas } from '../../../adapters/edge/middleware/quotas.js';
import { Problem } from '../../../adapters/edge/problems/problem.js';

const MEBIBYTE = 1_048_576;

type Request = readonly [ctx: Context, developerId: string];

function request(developerId: string, bytes: number): Request {
  const headers = { 'content-length': String(bytes) };
  return [{ req: { headers }, set: () => undefined } as unknown as Context, developerId];
}

/** Begins to read bodies, and returns what ends all of them. */
async function reading(bodies: LargeBodies, requests: readonly Request[]): Promise<() => Promise<unknown>> {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => (resolve = settle));
  const all = requests.map((one) => bodies.during(...one, () => promise));
  await new Promise((done) => setImmediate(done));
  return () => {
    resolve();
    return Promise.all(all);
  };
}

async function outcomeOf(bodies: LargeBodies, one: Request): Promise<string> {
  return bodies.during(...one, async () => 'read').catch((error: unknown) => (error as Problem).slug);
}

describe('Large bodies', () => {
  const four = (developer: string) => Array.from({ length: 4 }, () => request(developer, 2 * MEBIBYTE));

  it('have 8 MiB of room for one developer, and others have theirs', async () => {
    const bodies = new LargeBodies();
    const end = await reading(bodies, four('ada'));
    expect(await outcomeOf(bodies, request('ada', 65_537))).to.equal('quota-exceeded');
    expect(await outcomeOf(bodies, request('bob', 65_537))).to.equal('read');
    expect(await outcomeOf(bodies, request('ada', 65_536))).to.equal('read');
    await end();
    expect(await outcomeOf(bodies, request('ada', 65_537))).to.equal('read');
  });

  it('have 16 MiB of room for all', async () => {
    const bodies = new LargeBodies();
    const end = await reading(bodies, [...four('ada'), ...four('bob')]);
    expect(await outcomeOf(bodies, request('eve', 65_537))).to.equal('overloaded');
    expect(await outcomeOf(bodies, request('eve', 1_000))).to.equal('read');
    await end();
    expect(await outcomeOf(bodies, request('eve', 65_537))).to.equal('read');
  });

  it('are counted together where API and panel have the same quotas', () => {
    const quotas = new DeveloperQuotas();
    expect(LargeBodies.of(quotas)).to.equal(LargeBodies.of(quotas));
    expect(LargeBodies.of(new DeveloperQuotas())).not.to.equal(LargeBodies.of(quotas));
  });

  it('give back their room also when they fail', async () => {
    const bodies = new LargeBodies();
    const broken = () => Promise.reject(new Error('broken'));
    for (let n = 0; n < 9; n += 1) await bodies.during(...request('ada', 2 * MEBIBYTE), broken).catch(() => undefined);
    expect(await outcomeOf(bodies, request('ada', 2 * MEBIBYTE))).to.equal('read');
  });
});

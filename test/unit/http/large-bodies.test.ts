import { expect } from 'chai';
import { LargeBodies } from '../../../adapters/edge/middleware/large-bodies.js';
import type { Context } from '../../../adapters/edge/context.js';
import { Problem } from '../../../adapters/edge/problems/problem.js';

const MEBIBYTE = 1_048_576;

function request(developerId: string, bytes: number): Context {
  const headers = { 'content-length': String(bytes) };
  return { req: { headers }, state: { caller: { developerId } }, set: () => undefined } as unknown as Context;
}

/** Begins to read bodies, and returns what ends all of them. */
async function reading(bodies: LargeBodies, requests: readonly Context[]): Promise<() => Promise<unknown>> {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => (resolve = settle));
  const all = requests.map((ctx) => bodies.during(ctx, () => promise));
  await new Promise((done) => setImmediate(done));
  return () => {
    resolve();
    return Promise.all(all);
  };
}

async function outcomeOf(bodies: LargeBodies, ctx: Context): Promise<string> {
  return bodies.during(ctx, async () => 'read').catch((error: unknown) => (error as Problem).slug);
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

  it('give back their room also when they fail', async () => {
    const bodies = new LargeBodies();
    const broken = () => Promise.reject(new Error('broken'));
    for (let n = 0; n < 9; n += 1) await bodies.during(request('ada', 2 * MEBIBYTE), broken).catch(() => undefined);
    expect(await outcomeOf(bodies, request('ada', 2 * MEBIBYTE))).to.equal('read');
  });
});

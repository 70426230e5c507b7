import { expect } from 'chai';
import { createHook } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Context, HttpMiddleware } from '../../../adapters/edge/context.js';
import { Overload } from '../../../adapters/edge/middleware/overload.js';
import { Problem } from '../../../adapters/edge/problems/problem.js';

const WHOLE = { complete: true, headers: {}, method: 'GET' };
/** A response that was sent at once. */
const SENT = { writableFinished: true, getHeader: () => undefined };
const done = (): Promise<void> => Promise.resolve();

/** A request of which the last byte has not come. */
class SlowRequest extends EventEmitter {
  readonly headers = { 'content-length': '5' };
  complete = false;
  destroyed = false;
  readableEnded = false;

  constructor(readonly method = 'POST') {
    super();
  }

  finish(): void {
    this.readableEnded = true;
    this.emit('end');
  }
}

/** Runs a request through the middleware, and returns whether it was served or which problem it got. */
async function serve(
  middleware: HttpMiddleware,
  next = done,
  request: { readonly method: string } = WHOLE,
  client = 'ada',
): Promise<string> {
  const ctx = { req: request, res: SENT, method: request.method, state: {}, client };
  try {
    await middleware(ctx as unknown as Parameters<HttpMiddleware>[0], next);
    return 'served';
  } catch (error) {
    return error instanceof Problem ? error.slug : String(error);
  }
}

/** Requests that are served until they are released. */
class Held {
  readonly #answers: Promise<string>[] = [];
  #release: () => void = () => undefined;
  readonly #released = new Promise<void>((resolve) => (this.#release = resolve));

  constructor(middleware: HttpMiddleware, count: number, client?: string) {
    for (let n = 0; n < count; n += 1) this.#answers.push(serve(middleware, () => this.#released, WHOLE, client));
  }

  async release(): Promise<readonly string[]> {
    this.#release();
    const answers = await Promise.all(this.#answers);
    await setImmediate();
    return [...new Set(answers)];
  }
}

/** Returns one with the usual limits, however busy the machine is that runs the tests. */
function newOverload(): Overload {
  return new Overload(Infinity);
}

function perClient(overload: Overload): HttpMiddleware {
  const all = overload.forAll();
  const each = overload.perClient((ctx: Context) => (ctx as unknown as { readonly client: string }).client);
  return async (ctx, next) => {
    await all(ctx, async () => {
      await each(ctx, next);
    });
  };
}

/** Blocks the event loop, and waits until that is noticed. */
async function block(milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
  await setTimeout(25);
}

describe('The overload protection', () => {
  it('refuses the 4,001st request in flight, and serves again once one is over', async () => {
    const overload = newOverload();
    const all = overload.forAll();
    const most = new Held(all, 3_999);
    const one = new Held(all, 1);
    expect([await serve(all), overload.inFlight]).to.deep.equal(['overloaded', 4_000]);
    expect(await one.release()).to.deep.equal(['served']);
    expect(await serve(all)).to.equal('served');
    expect(await most.release()).to.deep.equal(['served']);
    expect(overload.inFlight).to.equal(0);
  });

  it('refuses the 257th request in flight of a client, and serves others', async () => {
    const each = perClient(newOverload());
    const held = new Held(each, 256, 'ada');
    expect(await serve(each, done, WHOLE, 'ada')).to.equal('overloaded');
    expect(await serve(each, done, WHOLE, 'bob')).to.equal('served');
    expect(await held.release()).to.deep.equal(['served']);
    expect(await serve(each, done, WHOLE, 'ada')).to.equal('served');
  });

  it('counts together what arrives together: a request leaves at the end of its turn', async () => {
    const each = perClient(newOverload());
    const together = await Promise.all(Array.from({ length: 300 }, () => serve(each)));
    expect(together.filter((answer) => answer === 'served')).to.have.length(256);
    await setImmediate();
    expect(await serve(each)).to.equal('served');
  });

  it('refuses at the end of the turn: a client that asks again waits for the next', async () => {
    const all = newOverload().forAll();
    const held = new Held(all, 4_000);
    let refused = 0;
    const askAgain = () => void serve(all).then(() => (refused += 1) < 10 && askAgain());
    askAgain();
    await Promise.resolve();
    expect(refused).to.equal(0);
    for (const turn of [1, 2, 3]) {
      await setImmediate();
      expect(refused).to.be.at.most(turn);
    }
    expect(refused).to.be.above(0);
    await held.release();
  });

  it('gives back the place of a request that fails', async () => {
    const overload = newOverload();
    expect(await serve(overload.forAll(), () => Promise.reject(new Error('defect')))).to.equal('Error: defect');
    await setImmediate();
    expect(overload.inFlight).to.equal(0);
  });

  it(
    'allows 120 in total and 32 of a client while the event loop is delayed, ' + 'and soon the usual numbers again',
    async () => {
      const [all, each] = [new Overload().forAll(), perClient(new Overload())];
      await setTimeout(50);
      const held = [new Held(all, 120), new Held(each, 32, 'ada')];
      await block(500);
      expect([await serve(all), await serve(each)]).to.deep.equal(['overloaded', 'overloaded']);
      expect(await serve(each, done, WHOLE, 'bob')).to.equal('served');
      while ((await serve(all)) === 'overloaded') await setTimeout(20);
      expect(await serve(each)).to.equal('served');
      for (const requests of held) expect(await requests.release()).to.deep.equal(['served']);
    },
  );

  it('starts no timer before the first request, and ends its timer soon after the last one', async () => {
    const timers = new Map<number, NodeJS.Timeout>();
    let isCounting = true;
    const hook = createHook({
      init: (id, type, _trigger, timer) =>
        void (isCounting && type === 'Timeout' && timers.set(id, timer as NodeJS.Timeout)),
      destroy: (id) => void timers.delete(id),
    }).enable();
    const overload = new Overload();
    // The timers of the test runner keep the process alive.
    const own = () => [...timers.values()].filter((timer) => !timer.hasRef()).length;
    expect(own()).to.equal(0);
    await serve(overload.forAll());
    expect(own()).to.equal(1);
    isCounting = false;
    while (own() > 0) await setTimeout(10);
    hook.disable();
  });

  it('counts a GET at once, also one that announces a body which never comes', async () => {
    const each = perClient(newOverload());
    const requests = Array.from({ length: 300 }, () => serve(each, done, new SlowRequest('GET')));
    expect((await Promise.all(requests)).filter((answer) => answer === 'served')).to.have.length(256);
    await setImmediate();
    expect(await serve(each)).to.equal('served');
  });

  it('counts a POST from its last byte on: a slow sender takes no place', async () => {
    const overload = newOverload();
    const all = overload.forAll();
    const slow = new SlowRequest();
    let answer: () => void = () => undefined;
    const served = serve(all, () => new Promise<void>((resolve) => (answer = resolve)), slow);
    await setImmediate();
    expect(overload.inFlight).to.equal(0);
    slow.finish();
    expect(overload.inFlight).to.equal(1);
    answer();
    expect(await served).to.equal('served');
    await setImmediate();
    expect(overload.inFlight).to.equal(0);
  });

  it('never counts a POST whose last byte does not come', async () => {
    const overload = newOverload();
    const slow = new SlowRequest();
    await serve(overload.forAll(), done, slow);
    slow.finish();
    await setImmediate();
    expect(overload.inFlight).to.equal(0);
  });
});

import { expect } from 'chai';
import { createHook } from 'node:async_hooks';
import { createServer } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createCatalogue } from '../../../adapters/catalogue/index.js';
import { createHttpApp, Overload } from '../../../adapters/api/index.js';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { createPanel } from '../../../adapters/panel/index.js';
import { newCore, parseDeveloperId, SCOPES } from '../../../application/index.js';
import { listening, send } from '../../support/socket.js';

const APPS = 50;
const verifier = {
  verify: async () => ({ developerId: parseDeveloperId('ada'), scopes: SCOPES, credentialId: 'ada' }),
};

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Makes applications and drops them. */
function makeAndDrop(): readonly WeakRef<object>[] {
  const core = newCore(inMemoryStorage());
  return Array.from(
    { length: APPS },
    () => new WeakRef(createHttpApp(core.marketplace, { verifier, documents: false })),
  );
}

async function collected(refs: readonly WeakRef<object>[]): Promise<number> {
  for (let n = 0; n < 10; n += 1) {
    await setImmediate();
    collectGarbage();
  }
  return refs.filter((ref) => ref.deref() === undefined).length;
}

describe('Applications that are made and dropped', () => {
  it('leave no timer, no handle and no memory: 50 of the API', async () => {
    let timers = 0;
    const hook = createHook({ init: (_id, type) => void (type === 'Timeout' && (timers += 1)) }).enable();
    const before = process.getActiveResourcesInfo().length;
    const refs = makeAndDrop();
    const after = process.getActiveResourcesInfo().length;
    hook.disable();
    expect(timers).to.equal(0);
    expect(after - before, 'handles, of which the process itself may have opened some').to.be.below(APPS);
    expect(await collected(refs)).to.be.at.least(APPS - 1);
  });
});

describe('An overload guard that is handed to the API, the panel and the catalogue', () => {
  it('counts the requests of all of them', async () => {
    const core = newCore(inMemoryStorage());
    const guard = new Overload(Infinity);
    let seen = 0;
    const onRequestCompleted = () => void (seen = Math.max(seen, guard.inFlight));
    const options = { onRequestCompleted };
    const apps = [
      [createHttpApp(core.marketplace, { ...options, verifier }, guard), '/api/categories'],
      [createPanel(core, options, guard), '/panel/sign-in'],
      [createCatalogue(core, options, guard), '/catalogue'],
    ] as const;
    for (const [app, path] of apps) {
      seen = 0;
      const handle = app.callback();
      const server = await listening(createServer((request, response) => void handle(request, response)));
      const { status } = await send(server.url, { method: 'GET', path, headers: { Authorization: 'Bearer x' } });
      await server.close();
      expect([status, seen], path).to.deep.equal([200, 1]);
      while (guard.inFlight > 0) await setTimeout(10);
    }
  });
});

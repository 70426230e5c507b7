import { expect } from 'chai';
import { Passwords } from '../../../application/index.js';
import { Visitor } from '../../support/panel-visitor.js';
import { PASSWORD } from '../../support/panel.js';
import { startService, type LocalService } from '../../support/service.js';

/** Addresses, wrong sign-ins from each, and how many of these are sent at once. */
const [ADDRESSES, GUESSES, AT_ONCE] = [40, 20, 2];

/** Some milliseconds for each hash: guesses come faster than they are checked. */
const passwords = new Passwords({ cost: 10 });

describe('While others guess passwords', () => {
  let service: LocalService;
  let visitor: Visitor;
  let isStopped = false;
  const goesOn = () => !isStopped;

  const signIn = (by: Visitor, address: string, name: string, password: string) => {
    const headers = { 'X-Forwarded-For': address };
    return by.submit('/panel/sign-in', { name, password }, { headers, withToken: false });
  };

  /** Guesses until it is stopped, and again when there was no place. */
  const guessAll = async (address: string, names: string[], onBusy: () => void) => {
    for (let name = names.pop(); name !== undefined && goesOn(); ) {
      const { status } = await signIn(new Visitor(service.url), address, name, 'wrong');
      if (status === 503) onBusy();
      else name = names.pop();
    }
  };

  /** Returns when all places are taken, with a function that stops the guesses. */
  const guess = async (addressOf: (n: number) => string) => {
    let ended: Promise<unknown> = Promise.resolve();
    isStopped = false;
    await new Promise<void>((resolve) => {
      const guessed = Array.from({ length: ADDRESSES }, (_, n) => {
        const names = Array.from({ length: GUESSES }, (_name, m) => `name ${n} ${m}`);
        return Array.from({ length: AT_ONCE }, () => guessAll(addressOf(n), names, resolve));
      });
      ended = Promise.all(guessed.flat());
    });
    return async () => {
      isStopped = true;
      await ended;
    };
  };

  beforeEach(async () => {
    service = await startService({ passwords, settings: { TRUSTED_PROXY_HOPS: '1' } });
    visitor = new Visitor(service.url);
    await visitor.accept(await service.invite('ada'), 'ada@example.com');
  });
  afterEach(() => service.close());

  for (const [title, addressOf] of [
    ['40 networks of one customer', (n: number) => `2001:db8:1:2${n.toString(16).padStart(2, '0')}::1`],
    ['40 addresses', (n: number) => `192.0.2.${n}`],
  ] as const)
    it(`20 times from each of ${title}, right sign-ins are served`, async () => {
      const stop = await guess(addressOf);
      for (let n = 0; n < 5; n += 1) {
        const ask = () => signIn(new Visitor(service.url), '198.51.100.7', 'ada@example.com', PASSWORD);
        // While no address has failed yet, a sign-in may find no place once, as any other.
        const { status } = await ask().then((first) => (first.status === 503 && n === 0 ? ask() : first));
        expect(status, `sign-in ${n}`).to.equal(303);
      }
      await stop();
    });

  it('a welcome link and a change of password are served', async () => {
    const link = await service.invite('bob');
    await visitor.open('/panel/account');
    const stop = await guess((n) => `192.0.2.${n}`);
    const change = { current: PASSWORD, password: 'another-violin-7-moss' };
    const [accepted, changed] = await Promise.all([
      new Visitor(service.url).accept(link, 'bob@example.com'),
      visitor.submit('/panel/account/password', change),
    ]);
    expect([accepted.status, changed.status]).to.deep.equal([303, 303]);
    await stop();
  });
});

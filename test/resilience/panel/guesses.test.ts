import { expect } from 'chai';
import { Passwords } from '../../../application/accounts.js';
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
  const guessAll = async (address: string, names: string[], failed: Set<string>, onBusy: () => void) => {
    for (let name = names.pop(); name !== undefined && goesOn();) {
      const { status } = await signIn(new Visitor(service.url), address, name, 'wrong');
      if (status !== 503) failed.add(address);
      if (status === 503 && failed.size === ADDRESSES) onBusy();
      if (status !== 503) name = names.pop();
    }
  };

  /** Returns when each address has failed and all places are taken, with a function that stops the guesses. */
  const guess = async (addressOf: (n: number) => string) => {
    let ended: Promise<unknown> = Promise.resolve();
    isStopped = false;
    const failed = new Set<string>();
    await new Promise<void>((resolve) => {
      const guessed = Array.from({ length: ADDRESSES }, (_, n) => {
        const names = Array.from({ length: GUESSES }, (_name, m) => `name ${n} ${m}`);
        return Array.from({ length: AT_ONCE }, () => guessAll(addressOf(n), names, failed, resolve));
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
        const { status } = await signIn(new Visitor(service.url), '198.51.100.7', 'ada@example.com', PASSWORD);
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

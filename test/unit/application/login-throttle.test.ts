import { expect } from 'chai';
import { LoginThrottle } from '../../../application/login-throttle.js';
import { MINUTE, NOON } from './people.js';

const ADDRESS = '192.0.2.9';
const at = (milliseconds = 0) => new Date(NOON + milliseconds);

const hex = (n: number): string => n.toString(16).padStart(2, '0');

function fail(throttle: LoginThrottle, count: number, nameOf: (n: number) => string = () => 'Ada'): void {
  for (let n = 0; n < count; n += 1)
    expect(throttle.acquire(nameOf(n), ADDRESS, at()), `failure ${n}`).to.have.property('allowed', true);
}

describe('the throttle of sign-ins', () => {
  it('refuses a name for 1 second after 5 failures, then for 2, 4 and up to 60', () => {
    const throttle = new LoginThrottle();
    fail(throttle, 5);
    let time = 0;
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      expect(throttle.acquire('Ada', ADDRESS, at(time))).to.deep.equal({ allowed: false, retryAfterSeconds: seconds });
      time += seconds * 1000;
      expect(throttle.acquire('Ada', ADDRESS, at(time))).to.have.property('allowed', true);
    }
  });

  it('refuses a name with a failure of its own after 20 failures of its network', () => {
    const throttle = new LoginThrottle();
    fail(throttle, 20, (n) => `Name ${n}`);
    expect(throttle.acquire('Name 3', ADDRESS, at())).to.deep.equal({ allowed: false, retryAfterSeconds: 1 });
    expect(throttle.acquire('Name 3', '192.0.2.10', at())).to.have.property('allowed', true);
  });

  it('lets a name without failures pass while its network has fewer than 100 in an hour', () => {
    const throttle = new LoginThrottle();
    fail(throttle, 100, (n) => `Name ${n}`);
    expect(throttle.acquire('Ada', ADDRESS, at())).to.deep.equal({ allowed: false, retryAfterSeconds: 1 });
    expect(throttle.acquire('Ada', '192.0.2.10', at())).to.have.property('allowed', true);
    expect(throttle.acquire('Ada', ADDRESS, at(MINUTE))).to.have.property('allowed', true);
  });

  it('lets a name pass in an office in which 90 others mistype each hour, all day', () => {
    const throttle = new LoginThrottle();
    for (let n = 0; n < 12 * 90; n += 1)
      expect(throttle.acquire(`Name ${n}`, ADDRESS, at(n * 40_000)), `failure ${n}`).to.have.property('allowed', true);
  });

  it('has limits ten times as high for a network that many people share, not for a name', () => {
    const throttle = new LoginThrottle({ isSharedNetwork: (address) => address === ADDRESS });
    fail(throttle, 5);
    expect(throttle.acquire('Ada', ADDRESS, at())).to.have.property('allowed', false);
    fail(throttle, 195, (n) => `Name ${n}`);
    expect(throttle.acquire('Name 3', ADDRESS, at())).to.have.property('allowed', false);
    fail(throttle, 800, (n) => `Other ${n}`);
    expect(throttle.acquire('Bob', ADDRESS, at())).to.deep.equal({ allowed: false, retryAfterSeconds: 1 });
  });

  it('refuses the networks of a customer of IPv6 together, after ten times as many failures', () => {
    const throttle = new LoginThrottle();
    const from = (n: number, time = 0) => throttle.acquire(`Name ${n}`, `2001:db8:1:2${hex(n % 256)}::1`, at(time));
    for (let n = 0; n < 200; n += 1) expect(from(n), `failure ${n}`).to.have.property('allowed', true);
    expect(from(200)).to.deep.equal({ allowed: false, retryAfterSeconds: 1 });
    expect(throttle.acquire('Ada', '2001:db8:1:300::1', at())).to.have.property('allowed', true);
    for (let n = 200; n < 210; n += 1)
      expect(from(n, MINUTE), 'a minute forgets ten').to.have.property('allowed', true);
    expect(from(210, MINUTE)).to.have.property('allowed', false);
  });

  it('refuses the customers of a /48 together, after a hundred times as many failures', () => {
    const throttle = new LoginThrottle();
    const from = (n: number) => throttle.acquire(`Name ${n}`, `2001:db8:1:${hex(n % 64)}${hex(n % 256)}::1`, at());
    for (let n = 0; n < 2_000; n += 1) expect(from(n), `failure ${n}`).to.have.property('allowed', true);
    expect(from(2_000)).to.deep.equal({ allowed: false, retryAfterSeconds: 1 });
    expect(throttle.acquire('Ada', '2001:db8:2::1', at())).to.have.property('allowed', true);
  });

  it('does not refuse a change of password for the guesses of neighbours', () => {
    const throttle = new LoginThrottle();
    for (let n = 0; n < 200; n += 1) throttle.acquire(`Name ${n}`, `2001:db8:1:2${hex(n)}::1`, at());
    const own = ['Ada', '2001:db8:1:2ff::1', at()] as const;
    expect(throttle.acquire(...own)).to.have.property('allowed', false);
    expect(throttle.acquireChange(...own)).to.have.property('allowed', true);
  });

  it('ranks an attempt by the recent failures of its name and its networks', () => {
    const throttle = new LoginThrottle();
    const rankOf = (name: string, address: string, time = 0) => {
      const attempt = throttle.acquire(name, address, at(time));
      return attempt.allowed ? attempt.place.rank : NaN;
    };
    const [home, neighbour] = ['2001:db8:1:200::1', '2001:db8:1:201::1'];
    expect([rankOf('Ada', home), rankOf('Ada', home), rankOf('Bob', home)]).to.deep.equal([0, 2.11, 2.22]);
    expect(rankOf('Bob', neighbour)).to.be.closeTo(0.33, 1e-9);
    expect(rankOf('Ada', '192.0.2.1')).to.equal(0);
    expect(rankOf('Ada', home, 3 * MINUTE)).to.equal(0);
  });

  it('takes back from every network what turned out to be right', () => {
    const throttle = new LoginThrottle();
    for (let n = 0; n < 300; n += 1) {
      const attempt = throttle.acquire(`Name ${n}`, `2001:db8:1:2${hex(n % 256)}::1`, at());
      expect(attempt, `attempt ${n}`).to.have.property('allowed', true);
      if (attempt.allowed) attempt.succeeded();
    }
  });

  it('does not refuse an office where many sign in at the same time', () => {
    const throttle = new LoginThrottle();
    const running: (() => void)[] = [];
    for (let n = 0; n < 100; n += 1) {
      const attempt = throttle.acquire(`Name ${n}`, ADDRESS, at(150 * n));
      expect(attempt, `attempt ${n}`).to.have.property('allowed', true);
      if (attempt.allowed) running.push(attempt.succeeded);
      if (running.length > 2) running.shift()?.();
    }
  });

  it('waits no longer because the clock was set back', () => {
    const throttle = new LoginThrottle();
    fail(throttle, 5);
    expect(throttle.acquire('Ada', ADDRESS, at(-60 * MINUTE))).to.have.property('allowed', false);
    expect(throttle.acquire('Ada', ADDRESS, at(1000 - 60 * MINUTE))).to.have.property('allowed', true);
  });

  it('keeps 10,000 entries at most', () => {
    const throttle = new LoginThrottle();
    fail(throttle, 5);
    for (let n = 0; n < 5_000; n += 1) throttle.acquire(`Name ${n}`, `2001:db8:${n.toString(16)}::1`, at());
    expect(throttle.acquire('Ada', ADDRESS, at())).to.have.property('allowed', true);
  });
});

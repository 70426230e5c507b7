import { expect } from 'chai';
import { LoginThrottle } from '../../../application/login-throttle.js';
import { MINUTE, NOON } from './people.js';

const ADDRESS = '192.0.2.9';
const at = (milliseconds = 0) => new Date(NOON + milliseconds);

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

  it('refuses a network after 20 failures, whatever the names', () => {
    const throttle = new LoginThrottle();
    fail(throttle, 20, (n) => `Name ${n}`);
    expect(throttle.acquire('Ada', ADDRESS, at())).to.deep.equal({ allowed: false, retryAfterSeconds: 1 });
    expect(throttle.acquire('Ada', '192.0.2.10', at())).to.have.property('allowed', true);
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

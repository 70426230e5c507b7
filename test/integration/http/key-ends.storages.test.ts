import { expect } from 'chai';
import { revokeUnderLoad, rotateUnderLoad } from '../../support/service/key-ends.js';
import { onEveryStorage } from '../../support/service/on-every-storage.js';
import { OPERATOR } from '../../../domain/access.js';

const HOUR = 60 * 60 * 1000;

onEveryStorage('The end of a key', (stage) => {
  it('is the very millisecond of its expiry', async () => {
    const clock = { time: Date.UTC(2025, 0, 1) };
    await stage.restart({ now: () => new Date(clock.time) });
    const client = stage.client(await stage.service.key('ada', undefined, HOUR));
    const expiry = clock.time + HOUR;
    for (const [time, status] of [
      [expiry - HOUR, 200],
      [expiry - 1, 200],
      [expiry, 401],
      [expiry + 1, 401],
    ] as const) {
      clock.time = time;
      expect((await client.get('/automations')).status, `${time - expiry} ms`).to.equal(status);
    }
  });

  it('comes, when it is rotated, exactly when the overlap is over; its successor stays', async () => {
    const clock = { time: Date.UTC(2025, 0, 1) };
    await stage.restart({ now: () => new Date(clock.time) });
    const { text, key } = await stage.service.keys.issue(OPERATOR, { developer: 'ada' });
    const old = stage.client(text);
    const successor = stage.client((await stage.service.keys.rotate(OPERATOR, key.id, HOUR)).text);
    const start = clock.time;
    for (const [time, status] of [
      [0, 200],
      [HOUR - 1, 200],
      [HOUR, 401],
    ] as const) {
      clock.time = start + time;
      expect((await old.get('/automations')).status, `${time} ms`).to.equal(status);
      expect((await successor.get('/automations')).status, `${time} ms`).to.equal(200);
    }
  });

  it('fails no request while keys are rotated under load', async () => {
    const { violations, figures } = await rotateUnderLoad(stage.service, 1);
    expect(violations).to.deep.equal([]);
    expect(figures['requests']).to.be.greaterThan(100);
  });

  it('is seen at once where it is revoked', async () => {
    const { violations, figures } = await revokeUnderLoad(stage.service, 250);
    expect(violations).to.deep.equal([]);
    expect(figures['refused']).to.be.greaterThan(20);
  });
});

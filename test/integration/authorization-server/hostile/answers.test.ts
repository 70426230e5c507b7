import { OPERATOR } from '../../../../domain/access.js';
import { REDIRECT } from '../../../support/oauth-app.js';
import { Market, type Client } from './market.js';
import { refuses } from './outcome.js';

const ALLOW = { answer: 'allow' };

describe('The authorization server refuses a consent', () => {
  let market: Market;
  let app: Client;

  before(async () => {
    market = await Market.open();
    app = await market.register('native');
  });
  after(() => market.close());

  const fresh = () => market.question(app);

  refuses([
    [
      'that goes on after the person was suspended',
      async () => {
        const visitor = await market.member('frank');
        const answered = await visitor.submit(await market.question(app, {}, visitor), ALLOW);
        await market.suspend('frank');
        return market.goOn(answered, visitor);
      },
      `303 access_denied at ${REDIRECT}`,
    ],
    [
      'that goes on after the app was revoked',
      async () => {
        const revoked = await market.register('native');
        const answered = await market.ada.submit(await market.question(revoked), ALLOW);
        await market.core.apps.revoke(OPERATOR, revoked.id);
        return market.goOn(answered);
      },
      '400 invalid_client',
    ],
    [
      'that goes on in another browser',
      async () => {
        const answered = await market.ada.submit(await fresh(), ALLOW);
        return market.goOn(answered, await market.member('grace'));
      },
      '400 invalid_request',
    ],
    [
      'that goes on twice',
      async () => {
        const answered = await market.ada.submit(await fresh(), ALLOW);
        const cookies = new Map(market.ada.cookies);
        await market.goOn(answered);
        for (const [name, value] of cookies) market.ada.cookies.set(name, value);
        return market.goOn(answered);
      },
      '400 invalid_request',
    ],
    [
      'that goes on half an hour later',
      async () => {
        const answered = await market.ada.submit(await fresh(), ALLOW);
        return market.later(1900, () => market.goOn(answered));
      },
      '400 invalid_request',
    ],
    [
      'after a refusal of the same question',
      async () => {
        const path = await fresh();
        await market.ada.submit(path, { answer: 'cancel' });
        return market.goOn(await market.ada.submit(path, ALLOW));
      },
      `303 access_denied at ${REDIRECT}`,
    ],
    [
      'that goes on before the answer',
      async () => {
        const path = await fresh();
        return market.ada.open(`/oauth/auth/${path.split('/').at(-1)}`);
      },
      '303 /panel/consent/*',
    ],
  ]);
});

import { expect } from 'chai';
import { OPERATOR } from '../../../../domain/access.js';
import { REDIRECT } from '../../../support/oauth-app.js';
import { Visitor } from '../../../support/panel-visitor.js';
import type { Sent } from '../../../support/socket.js';
import { Market, pathOf, type Client, type Fields } from './market.js';
import { outcomeOf, refuses } from './outcome.js';

const ALLOW = { answer: 'allow' };
const GONE = '404';
const REFUSED = '403';

describe('The authorization server refuses a consent', () => {
  let market: Market;
  let app: Client;

  before(async () => {
    market = await Market.open();
    app = await market.register('native');
  });
  after(() => market.close());

  const fresh = async (changes: Fields = {}) => market.question(app, changes);
  /** Answers with the form as it was shown, with other headers. */
  const sentWith = (headers: Record<string, string | undefined>) => async () =>
    market.ada.submit(await fresh(), ALLOW, { headers });

  refuses([
    [
      'without the token of the form',
      async () => market.ada.submit(await fresh(), ALLOW, { withToken: false }),
      REFUSED,
    ],
    [
      'with the token of the form of another person',
      async () => {
        await market.question(app, {}, market.bob);
        return market.ada.submit(await fresh(), { ...ALLOW, token: market.bob.token }, { withToken: false });
      },
      REFUSED,
    ],
    ['from another site', sentWith({ Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }), REFUSED],
    ['from the site of an app on this machine', sentWith({ Origin: new URL(REDIRECT).origin }), REFUSED],
    ['from a frame without an origin', sentWith({ Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }), REFUSED],
    ['from the same site over another scheme', sentWith({ Origin: 'https://127.0.0.1' }), REFUSED],
    ['in JSON', sentWith({ 'Content-Type': 'application/json' }), '415'],
    [
      'of somebody who is not signed in',
      async () => {
        const path = await fresh();
        const stranger = new Visitor(market.url);
        return stranger.submit(path, ALLOW);
      },
      REFUSED,
    ],
    [
      'of another person with the question in their browser',
      async () => {
        const path = await fresh();
        await market.question(app, {}, market.bob);
        return market.bob.submit(path, ALLOW);
      },
      GONE,
    ],
    [
      'of the same person in another browser',
      async () => {
        const path = await fresh();
        const visitor = new Visitor(market.url);
        await visitor.signIn('ada@example.com');
        await visitor.open('/panel/keys');
        return visitor.submit(path, ALLOW);
      },
      GONE,
    ],
    [
      'whose cookie has another signature',
      async () => {
        const path = await fresh();
        market.ada.cookies.set('oauth-question.sig', 'x'.repeat(27));
        return market.ada.submit(path, ALLOW);
      },
      GONE,
    ],
    [
      'whose cookie names the question of another',
      async () => {
        const path = await market.question(app, {}, market.bob);
        await fresh();
        market.ada.cookies.set('oauth-question', path.split('/').at(-1) ?? '');
        return market.ada.submit(path, ALLOW);
      },
      GONE,
    ],
    [
      'to a question that there is none of',
      async () => {
        await fresh();
        return market.ada.submit(`/panel/consent/${'x'.repeat(43)}`, ALLOW);
      },
      GONE,
    ],
    [
      'to a question with 10,000 characters',
      async () => {
        await fresh();
        return market.ada.submit(`/panel/consent/${'x'.repeat(10_000)}`, ALLOW);
      },
      '414',
    ],
    [
      'to a question by the stored id',
      async () => {
        await fresh();
        const { id } = JSON.parse(market.written.at(-1) ?? '') as { readonly id: string };
        market.ada.cookies.set('oauth-question', id);
        return market.ada.submit(`/panel/consent/${id}`, ALLOW);
      },
      GONE,
    ],
    [
      'half an hour later',
      async () => {
        const path = await fresh();
        return market.later(1900, () => market.ada.submit(path, ALLOW));
      },
      GONE,
    ],
    [
      'of a person who was suspended',
      async () => {
        const visitor = await market.member('carol');
        const path = await market.question(app, {}, visitor);
        await market.suspend('carol');
        return visitor.submit(path, ALLOW);
      },
      REFUSED,
    ],
    [
      'to an app that was revoked',
      async () => {
        const revoked = await market.register('native');
        const path = await market.question(revoked);
        await market.core.apps.revoke(OPERATOR, revoked.id);
        return market.ada.submit(path, ALLOW);
      },
      GONE,
    ],
    [
      'to the app of a developer who was suspended',
      async () => {
        await market.member('dave');
        const path = await market.question(await market.register('native', { by: 'dave' }));
        await market.suspend('dave');
        return market.ada.submit(path, ALLOW);
      },
      GONE,
    ],
    [
      'of a buyer to sell',
      async () => {
        const visitor = await market.member('erin');
        const path = await market.question(app, { scope: 'automations:write' }, visitor);
        await market.core.accounts.setRole(OPERATOR, 'erin', 'buyer');
        return visitor.submit(path, ALLOW);
      },
      REFUSED,
    ],
    [
      'that was given before, to a request that must not ask',
      async () => {
        await market.tokens(app);
        return market.ask(app, { prompt: 'none' });
      },
      `303 login_required at ${REDIRECT}`,
    ],
    [
      'that was given before, to one that asks again',
      async () => {
        await market.tokens(app);
        return market.ask(app);
      },
      '303 /panel/consent/*',
    ],
    [
      'that is a link',
      async () => {
        const path = await fresh();
        await market.ada.open(`${path}?answer=allow&token=${market.ada.token}`);
        return market.ada.open(`/oauth/auth/${path.split('/').at(-1)}`);
      },
      '303 /panel/consent/*',
    ],
    [
      'that is refused by a link',
      async () => {
        const path = await fresh();
        await market.ada.open(`${path}?answer=cancel`);
        return market.answer(path, 'allow').then(({ status, headers }) => `${status} ${grantsOf(headers)}`);
      },
      '303 a code',
    ],
  ]);

  const grantsOf = (headers: Headers) => (headers.get('location')?.includes('code=') ? 'a code' : 'nothing');
  const connectionsOf = async (developer: string) =>
    (await market.core.connections.list({ isSignedIn: true, developerId: developer, role: 'developer' } as never))
      .items;

  it('twice: of twenty forms that are sent at once one counts', async () => {
    const visitor = await market.member('heidi');
    const path = await market.question(app, {}, visitor);
    const answers = await Promise.all(Array.from({ length: 20 }, () => visitor.submit(path, ALLOW)));
    expect(new Set(answers.map(pathOf)).size).to.equal(1);
    expect(await connectionsOf('heidi')).to.have.length(1);
    const cookies = new Map(visitor.cookies);
    const codes = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const browser = new Visitor(market.url);
        for (const [name, value] of cookies) browser.cookies.set(name, value);
        return market.goOn(answers[0] as Sent, browser);
      }),
    );
    expect(codes.map(outcomeOf).toSorted()).to.deep.equal([
      ...Array<string>(19).fill('400 invalid_request'),
      'ACCEPTED 303',
    ]);
  });

  it('to somebody who signs in between the question and the answer for the one who saw it', async () => {
    const visitor = await market.member('ivan');
    const path = await market.question(app, {}, visitor);
    await visitor.submit('/panel/sign-out', {});
    await visitor.signIn('bob@example.com');
    expect((await visitor.open(path)).body).to.include('bob@example.com');
    const { status, headers } = await market.answer(path, 'allow', visitor);
    expect([status, grantsOf(headers)]).to.deep.equal([303, 'a code']);
    expect(await connectionsOf('ivan')).to.deep.equal([]);
  });

  it('to a form that was shown to another person before they signed out', async () => {
    const visitor = await market.member('judy');
    const path = await market.question(app, {}, visitor);
    const { token } = visitor;
    await visitor.submit('/panel/sign-out', {});
    await visitor.signIn('bob@example.com');
    const sent = await visitor.submit(path, { ...ALLOW, token }, { withToken: false });
    expect(outcomeOf(sent)).to.equal(REFUSED);
  });

  it('in a frame of another site, or with a form that leads elsewhere', async () => {
    const path = pathOf(await market.ask(app));
    const { headers } = await market.ada.open(path);
    const policy = headers.get('content-security-policy');
    expect(policy)
      .to.include("frame-ancestors 'none'")
      .and.include(`form-action 'self' ${new URL(REDIRECT).origin};`);
    expect(headers.get('cache-control')).to.include('no-store');
    expect(headers.get('referrer-policy')).to.equal('same-origin');
  });

  it('over cookies that scripts or other sites can send', async () => {
    const { headers } = await market.ask(app);
    const cookies = headers.getSetCookie().filter((cookie) => cookie.startsWith('oauth-'));
    expect(cookies.length).to.be.at.least(4);
    for (const cookie of cookies)
      expect(cookie)
        .to.match(/; httponly/i)
        .and.match(/; samesite=lax/i);
  });
});

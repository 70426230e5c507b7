import { expect } from 'chai';
import { STORAGES } from '../../../support/storages.js';
import { Market, type Client, type Tokens } from './market.js';
import { outcomeOf, refuses } from './outcome.js';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** What the stores of this world take for something else than text. */
const ODD = ['\0', '\uD800', 'x'.repeat(10_000), "' OR 1=1 --", '{"$gt":""}', '__proto__', '\u{10FFFF}', '%', '_'];

for (const [storage, fresh] of Object.entries(STORAGES))
  describe(`The authorization server on ${storage} refuses`, () => {
    let market: Market;
    let app: Client;

    before(async () => {
      market = await Market.open({ repositories: fresh() });
      app = await market.register('native');
    });
    after(() => market.close());

    const eachOf = async (attempt: (text: string) => ReturnType<Market['post']>) => {
      const outcomes: string[] = [];
      for (const text of ODD) outcomes.push(outcomeOf(await attempt(text)));
      return [...new Set(outcomes)].join();
    };

    refuses([
      [
        'ids of clients that are no text',
        () => eachOf((id) => market.postAs({ id }, '/token', { grant_type: 'refresh_token' })),
        '401 invalid_client',
      ],
      [
        'ids of clients that are no text, of a person',
        () => eachOf((id) => market.ask({ id: id.slice(0, 2_000) })),
        '400 invalid_client',
      ],
      ['codes that are no text', () => eachOf((code) => market.exchange(app, code)), '400 invalid_grant'],
      ['refresh tokens that are no text', () => eachOf((token) => market.refresh(app, token)), '400 invalid_grant'],
      [
        'device codes that are no text',
        () => eachOf((code) => market.postAs(app, '/token', { grant_type: DEVICE_GRANT, device_code: code })),
        '400 invalid_grant',
      ],
    ]);

    it('no state, and gives it back as it was sent', async () => {
      for (const state of ['\0', '\u{10FFFF}', '"\\', 'x'.repeat(900)]) {
        const { headers } = await market.answer(await market.question(app, { state }), 'allow');
        expect(new URL(headers.get('location') ?? '').searchParams.get('state')).to.equal(state);
      }
    });

    it('a code of twenty requests at once, to all but one', async () => {
      const code = await market.code(app);
      const answers = await Promise.all(Array.from({ length: 20 }, () => market.exchange(app, code)));
      expect(answers.map(outcomeOf).filter((outcome) => outcome !== '400 invalid_grant')).to.deep.equal([
        'ACCEPTED 200',
      ]);
    });

    it('twenty refreshes at once other tokens than the first one, and one 10 seconds later', async () => {
      const { refresh_token: token } = await market.tokens(app);
      const answers = await Promise.all(Array.from({ length: 20 }, () => market.refresh(app, token)));
      const bodies = new Set(answers.map(({ body }) => body));
      expect([answers.map(outcomeOf)[0], bodies.size]).to.deep.equal(['ACCEPTED 200', 1]);
      const { refresh_token: next } = JSON.parse([...bodies].join()) as Tokens;
      expect(outcomeOf(await market.later(10, () => market.refresh(app, token)))).to.equal('400 invalid_grant');
      expect(outcomeOf(await market.refresh(app, next))).to.equal('400 invalid_grant');
    });
  });

import { expect } from 'chai';
import { answer, OAuthApp, type Asked } from '../../../support/oauth-app.js';
import { startWithDocuments, type OAuthStage } from '../../../support/oauth-stage.js';
import type { Visitor } from '../../../support/panel-visitor.js';
import { encoded, requestOf, type Fields } from './market.js';
import { outcomeOf } from './outcome.js';

const ID = 'https://agent.example/client.json';
const EVIL = 'https://evil.example/phishing';
const DOCUMENT = {
  client_id: ID,
  client_name: 'Your bank',
  redirect_uris: [EVIL],
  token_endpoint_auth_method: 'none',
};

describe('The authorization server leads nobody to an agent that is not registered', () => {
  let stage: OAuthStage;
  let visitor: Visitor;
  before(async () => {
    stage = await startWithDocuments(new Map([[ID, DOCUMENT]]));
    ({ visitor } = await stage.member());
  });
  after(() => stage.close());

  const ask = (changes: Fields) =>
    visitor.open(`/oauth/auth?${encoded({ ...requestOf({ id: ID }), redirect_uri: EVIL, ...changes })}`);

  const failing: Readonly<Record<string, Fields>> = {
    'that must not ask': { prompt: 'none' },
    'for an unknown scope': { scope: 'unknown' },
    'for an unknown resource': { resource: 'https://evil.example' },
    'without PKCE': { code_challenge: undefined },
    'with plain PKCE': { code_challenge_method: 'plain' },
    'with another response type': { response_type: 'token' },
    'with its parameters in a token': { request: 'a.b.c' },
    'with two states': { state: ['one', 'two'] },
    'with a registration': { registration: '{}' },
  };
  for (const [title, changes] of Object.entries(failing))
    it(`by a request ${title}: the error is a page without a link`, async () => {
      const sent = await ask(changes);
      expect(outcomeOf(sent)).to.match(/^400 [a-z_]+$/);
      expect(sent.headers.get('location')).to.equal(null);
      expect(sent.body).to.not.include('evil.example/');
    });

  async function question(): Promise<{ readonly app: OAuthApp; readonly asked: Asked; readonly path: string }> {
    const app = await OAuthApp.of(stage.url, { app: { id: ID } }, EVIL);
    const asked = await app.ask();
    const { headers } = await visitor.open(asked.url.pathname + asked.url.search);
    return { app, asked, path: String(headers.get('location')) };
  }

  it('by a refusal: a page says so, and its link alone leads there, with what the agent awaits', async () => {
    const { path } = await question();
    await visitor.open(path);
    const back = new URL(String((await visitor.submit(path, { answer: 'cancel' })).headers.get('location')), stage.url);
    const { status, headers, body } = await visitor.open(back.pathname + back.search);
    expect([status, headers.get('location')]).to.deep.equal([400, null]);
    const link = new URL(String(/href="(https:\/\/evil[^"]+)"/.exec(body)?.[1]).replaceAll('&amp;', '&'));
    expect(link.origin + link.pathname).to.equal(EVIL);
    expect(Object.fromEntries(link.searchParams)).to.include({ error: 'access_denied', iss: `${stage.url}/oauth` });
    expect(body).to.include('Tell the app at evil.example');
  });

  it('but to one that a person allowed', async () => {
    const app = await OAuthApp.of(stage.url, { app: { id: ID } }, EVIL);
    const asked = await app.ask();
    const { access_token: token } = await app.exchange(await answer(visitor, asked.url, 'allow'), asked);
    expect(await stage.read(token)).to.equal(200);
  });

  it('and still leads to a registered app with its error', async () => {
    const { by } = await stage.member();
    const { app } = await stage.register(by, 'native');
    const sent = await visitor.open(`/oauth/auth?${encoded({ ...requestOf(app), prompt: 'none' })}`);
    expect(outcomeOf(sent)).to.equal('303 login_required at http://127.0.0.1:5555/callback');
  });
});

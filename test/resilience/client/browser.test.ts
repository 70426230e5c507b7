import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type * as Client from '../../../adapters/client/index.js';
import { describeInBrowser } from '../../support/browser.js';
import { listening, type Listening } from '../../support/socket.js';
import { DRAFT, WHOLE } from '../../integration/client/answers.js';

const CLIENT = new URL('../../../adapters/client/', import.meta.url);

const BODY = JSON.stringify(WHOLE);

/** Serves a page, the files of the client, an API, and an address that leads to it. */
function respond({ url = '', method = '' }: IncomingMessage, response: ServerResponse): void {
  const [, folder = '', name = ''] = url.split('/');
  const answer = (status: number, type: string, body: string) =>
    void response.writeHead(status, { 'Content-Type': type }).end(body);
  if (folder === 'client') answer(200, 'text/javascript', readFileSync(new URL(name, CLIENT), 'utf8'));
  else if (folder === 'moved') response.writeHead(302, { Location: '/api/automations' }).end();
  else if (folder === 'api') answer(method === 'POST' ? 201 : 200, 'application/json', BODY);
  else answer(200, 'text/html', '<title>A page</title>');
}

describeInBrowser('The client in a page that came over plain HTTP from another machine', (browser) => {
  let server: Listening;
  before(async () => (server = await listening(createServer(respond))));
  after(() => server.close());

  /** Creates from a page, and returns the automation or the message of the error. */
  async function create(baseUrl: string): Promise<unknown> {
    const page = await (await browser.profile()).newPage();
    await page.goto(server.url.replace('127.0.0.1', 'market.lan'));
    expect(await page.evaluate(() => typeof crypto.randomUUID)).to.equal('undefined');
    const work = async ([base, draft]: readonly [string, typeof DRAFT]) => {
      const from = '/client/index.js';
      const { createClient } = (await import(from)) as typeof Client;
      return createClient({ baseUrl: base, retries: 0 })
        .automations.create(draft)
        .catch((error: unknown) => String(error));
    };
    return page.evaluate(work, [baseUrl, DRAFT] as const);
  }

  it('creates, at an address that is relative to the page', async () => {
    expect(await create('/api')).to.deep.equal(WHOLE);
  });

  it('says that it was redirected, although the browser does not tell where to', async () => {
    const origin = server.url.replace('127.0.0.1', 'market.lan');
    expect(await create('/moved/api')).to.equal(
      `UnexpectedResponse: POST ${origin}/moved/api/automations was redirected to an address that the browser ` +
        'does not tell; baseUrl must lead to the API itself',
    );
  });
});

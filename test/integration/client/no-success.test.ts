import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createClient,
  NoResponse,
  UnexpectedResponse,
  type ClientOptions,
  type Fetch,
  type MarketplaceClient,
} from '../../../adapters/client/index.js';
import { newCertificate } from '../../support/certificate.js';
import { freePort, listening, type Listening } from '../../support/socket.js';
import { DRAFT, failure, LIST, WHOLE } from './answers.js';

type Respond = (response: ServerResponse, request: IncomingMessage) => unknown;
type Call = (client: MarketplaceClient) => Promise<unknown>;

const create: Call = ({ automations }) => automations.create(DRAFT);
const page: Call = ({ automations }) => automations.page();
const get: Call = ({ automations }) => automations.get('a');
const categories: Call = (client) => client.categories.list();

const answer =
  (status: number, type: string, body: string): Respond =>
  (response) =>
    response.writeHead(status, type === '' ? {} : { 'Content-Type': type }).end(body);
const json = (status: number, body: unknown) => answer(status, 'application/json', JSON.stringify(body));
const redirect =
  (status: number, location: string): Respond =>
  (response) =>
    response.writeHead(status, { Location: location }).end();

const expected = (what: string, status = 200) => `expected was ${status} with application/json and ${what}`;
const AUTOMATION = 'an automation';
const PAGE = 'a page of automations';

/** What a server in between answers, and what the error says after `METHOD http://address `. */
const ROWS: Readonly<Record<string, readonly [call: Call, respond: Respond, says: readonly string[]]>> = {
  'a create that is answered with the list': [
    create,
    json(200, LIST),
    ['returned 200 with application/json', '"{\\"data\\":[]', expected(AUTOMATION, 201)],
  ],
  'a create that is answered with 200 and an automation': [create, json(200, WHOLE), [expected(AUTOMATION, 201)]],
  'a create that is answered with 201 and the list': [create, json(201, LIST), [expected(AUTOMATION, 201)]],
  'a create that is accepted for later': [create, json(202, WHOLE), ['returned 202', expected(AUTOMATION, 201)]],
  'a create that is answered with 204': [
    create,
    answer(204, '', ''),
    ['returned 204 with no content type and an empty body'],
  ],
  'a create that is answered with 304': [create, answer(304, '', ''), ['returned 304', expected(AUTOMATION, 201)]],
  'a page of a proxy': [
    create,
    answer(200, 'text/html; charset=utf-8', '<!doctype html>\n<title>Please sign in</title>'),
    [
      'returned 200 with text/html; charset=utf-8 and a body of 45 characters that begins ' +
        '"<!doctype html> <title>Please sign in</title>"',
      'Is baseUrl right, and does nothing in between change responses?',
    ],
  ],
  'a page under the name of JSON': [page, answer(200, 'application/json', '<html>'), ['"<html>"', expected(PAGE)]],
  'a list that is cut': [
    page,
    answer(200, 'application/json', '{"data":[{"id":'),
    ['a body of 15 characters', expected(PAGE)],
  ],
  'an empty list body': [page, answer(200, 'application/json', ''), ['200 with application/json and an empty body']],
  'a body without a type': [page, answer(200, '', JSON.stringify(LIST)), ['returned 200 with no content type']],
  'a list without its total': [page, json(200, { data: [] }), [expected(PAGE)]],
  'a list of something else': [page, json(200, { ...LIST, data: [1] }), [expected(PAGE)]],
  'a list that is null': [page, json(200, null), ['"null"', expected(PAGE)]],
  'an automation in place of a list': [page, json(200, WHOLE), [expected(PAGE)]],
  'a list in place of an automation': [get, json(200, LIST), [expected(AUTOMATION)]],
  'an automation that was created by a read': [get, json(201, WHOLE), ['returned 201', expected(AUTOMATION)]],
  'an automation without a price': [get, json(200, { ...WHOLE, price: '9.99' }), [expected(AUTOMATION)]],
  'a part of an automation': [get, json(206, WHOLE), ['returned 206']],
  'an unchanged automation to a caller without one': [get, answer(304, '', ''), ['returned 304', expected(AUTOMATION)]],
  'categories of another service': [categories, json(200, [{ id: 'a' }]), [expected('a list of categories')]],
  'a problem of another service': [
    get,
    answer(404, 'application/problem+json', '{"title":"Not Found","status":404}'),
    ['returned 404 with application/problem+json', '"{\\"title\\":\\"Not Found\\"'],
  ],
  'a page for 404': [
    get,
    answer(404, 'text/html', '<h1>Nothing here'),
    ['returned 404 with text/html', '<h1>Nothing here'],
  ],
};

/** Returns a fetch that notes each of its calls. */
function counted() {
  const calls: string[] = [];
  const fetch: Fetch = (url, init) => {
    calls.push(url);
    return globalThis.fetch(url, init);
  };
  return { calls, fetch };
}

describe('The client reports no success that was none:', () => {
  const servers: Listening[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  /** Starts a server that answers every request so. */
  async function serving(respond: Respond, options: Partial<ClientOptions> = {}) {
    const asked: string[] = [];
    const server = await listening(
      createServer((request, response) => {
        asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
        request.resume().on('end', () => respond(response, request));
      }),
    );
    servers.push(server);
    const { url } = server;
    return { url, asked, client: createClient({ baseUrl: `${url}/api`, key: 'key', ...options }) };
  }

  for (const [name, [call, respond, says]] of Object.entries(ROWS))
    it(`${name} is an error that says what came, and is not sent again`, async () => {
      const { asked, client, url } = await serving(respond);
      const error = await failure(call(client));
      expect(error).to.be.instanceOf(UnexpectedResponse).with.property('name', 'UnexpectedResponse');
      const { message } = error;
      expect(message).to.match(new RegExp(`^(GET|POST) ${url}/api/(automations|automations/a|categories) returned `));
      for (const part of says) expect(message).to.include(part);
      expect(asked).to.have.length(1);
    });

  for (const status of [301, 302, 303, 307, 308])
    for (const [name, call] of Object.entries({ create, page }))
      it(`a ${status} of a ${name} to another path is an error that names both addresses`, async () => {
        const { asked, client, url } = await serving((response, request) =>
          (request.url?.startsWith('/api/') ? redirect(status, '/v1/automations') : json(200, LIST))(response, request),
        );
        const error = await failure(call(client));
        expect(error).to.be.instanceOf(UnexpectedResponse).with.property('status', status);
        const sent = `${call === create ? 'POST' : 'GET'} ${url}/api/automations`;
        expect(error.message).to.equal(
          `${sent} was redirected (${status}) to ${url}/v1/automations; baseUrl must lead to the API itself`,
        );
        expect(asked).to.have.length(1);
      });

  it('a redirect from http to https is an error that names both; the other is not asked', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'client-tls-'));
    const { cert, key } = newCertificate(folder);
    const asked: unknown[] = [];
    const secure = createTlsServer({ cert: readFileSync(cert), key: readFileSync(key) });
    secure.on('connection', (socket) => asked.push(socket));
    const target = (await listening(secure)).url.replace('http:', 'https:');
    const { client, url } = await serving((response, request) =>
      redirect(301, `${target}${request.url}`)(response, request),
    );
    const { message } = await failure(create(client));
    expect(message).to.include(`POST ${url}/api/automations was redirected (301) to ${target}/api/automations`);
    expect(asked).to.deep.equal([]);
    secure.closeAllConnections();
    secure.close();
    rmSync(folder, { recursive: true });
  });

  it('a wrong certificate is named, and not asked again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'client-tls-'));
    const { cert, key } = newCertificate(folder);
    const secure = createTlsServer({ cert: readFileSync(cert), key: readFileSync(key) });
    let connections = 0;
    secure.on('connection', () => (connections += 1));
    const baseUrl = (await listening(secure)).url.replace('http:', 'https:');
    const error = await failure(create(createClient({ baseUrl })));
    expect(error).to.be.instanceOf(NoResponse).and.include({ name: 'NoResponse', mayPass: false });
    expect(error.message)
      .to.include(`POST ${baseUrl}/automations got no response: self-signed certificate`)
      .and.include('(DEPTH_ZERO_SELF_SIGNED_CERT)');
    expect(connections).to.equal(1);
    secure.closeAllConnections();
    secure.close();
    rmSync(folder, { recursive: true });
  });

  it('https to a server that speaks http is named, and not asked again', async () => {
    const { url } = await serving(json(200, LIST));
    const baseUrl = url.replace('http:', 'https:');
    const { message } = await failure(page(createClient({ baseUrl })));
    expect(message).to.include(`GET ${baseUrl}/automations got no response: `).and.to.include('ERR_SSL');
  });

  it('a host without an address, and a port that fetch refuses, are named and not asked again', async () => {
    const rows = { 'http://nothing.invalid/api': 'ENOTFOUND nothing.invalid', 'http://127.0.0.1:1/api': 'bad port' };
    for (const [baseUrl, reason] of Object.entries(rows)) {
      const { calls, fetch } = counted();
      const { message } = await failure(page(createClient({ baseUrl, fetch })));
      expect(message).to.include(`GET ${baseUrl}/automations got no response: `).and.to.include(reason);
      expect(calls).to.have.length(1);
    }
  });

  it('a server that says nothing is left after the time limit, as often as retries allow', async () => {
    const { calls, fetch } = counted();
    const { client, url } = await serving(() => undefined, { timeout: 50, retries: 1, fetch });
    const error = await failure(create(client));
    expect(error).to.be.instanceOf(NoResponse).with.property('mayPass', true);
    const { message } = error;
    const reason = 'none was complete after 50 ms, the limit that the option timeout sets';
    expect(message).to.equal(`POST ${url}/api/automations got no response: ${reason}`);
    expect(calls).to.have.length(2);
  });

  it('a server that stops in the middle of its body is left after the time limit', async () => {
    const begin: Respond = (response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).write('{"data"');
    const { client } = await serving(begin, { timeout: 50, retries: 0 });
    expect((await failure(page(client))).message).to.include('none was complete after 50 ms');
  });

  it('a fetch that does not listen to its signal is left after the time limit', async () => {
    const fetch = () => new Promise<never>(() => undefined);
    const client = createClient({ baseUrl: 'http://127.0.0.1/api', fetch, timeout: 50, retries: 0 });
    expect((await failure(page(client))).message).to.include('none was complete after 50 ms');
  });

  it('a connection that breaks, before or in the response, is named after the retries', async () => {
    const cut: Respond = (response) => {
      response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': '100' }).write('{"id"');
      setTimeout(() => response.destroy(), 20);
    };
    for (const respond of [(response: ServerResponse) => response.destroy(), cut]) {
      const { asked, client } = await serving(respond, { retries: 1 });
      const { message } = await failure(create(client));
      expect(message).to.match(/^POST \S+ got no response: (other side closed|read ECONNRESET|terminated)/);
      expect(asked).to.have.length(2);
    }
  });

  it('a server that is not there is named after the retries', async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}/api`;
    const { message } = await failure(create(createClient({ baseUrl, retries: 0 })));
    expect(message).to.include(`POST ${baseUrl}/automations got no response: connect ECONNREFUSED 127.0.0.1:`);
  });
});

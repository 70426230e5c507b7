import { expect } from 'chai';
import { createServer, type RequestListener } from 'node:http';
import { listening, type Listening } from '../../../support/socket.js';
import { AgentServer } from './agent-server.js';
import type { Fields } from './market.js';
import { outcomeOf, refuses, type Row } from './outcome.js';

const ID = 'https://app.example/client.json';
const LOOPBACK = 'http://127.0.0.1:5555/callback';
const NO_CLIENT = '400 invalid_client';
const BAD = '400 invalid_client_metadata';
const GOOD = { client_id: ID, client_name: 'Agent', redirect_uris: [LOOPBACK], token_endpoint_auth_method: 'none' };
type Fetch = typeof globalThis.fetch;

describe('The authorization server refuses a client by its metadata document', () => {
  /** The paths that the site of the client was asked for. */
  const asked: string[] = [];
  let answer: RequestListener;
  let site: Listening;
  /** The server of which the site of each client is on this machine. */
  let server: AgentServer;

  before(async () => {
    site = await listening(
      createServer((request, response) => {
        asked.push(request.url ?? '');
        answer(request, response);
      }),
    );
    server = await AgentServer.start((url, options) =>
      fetch(site.url + new URL(textOf(url)).pathname, withoutGuard(options)),
    );
  });
  after(async () => {
    await Promise.all([site.close(), server.close()]);
  });
  beforeEach(() => {
    asked.length = 0;
    answer = (_request, response) => response.end(JSON.stringify(GOOD));
  });

  let count = 0;
  /** Returns an address that no server has read yet: they keep what they read. */
  const newId = () => `https://app.example/${(count += 1)}.json`;
  const described =
    (changes: object, sent: Fields = {}) =>
    () => {
      const id = newId();
      answer = (_request, response) => response.end(JSON.stringify({ ...GOOD, client_id: id, ...changes }));
      return server.ask(id, sent);
    };
  const answered = (listener: RequestListener) => () => {
    answer = listener;
    return server.ask(newId());
  };
  const redirecting = (redirect: string) => described({ redirect_uris: [redirect] }, { redirect_uri: redirect });

  it('only if something is wrong with it', async () => {
    expect(outcomeOf(await described({})())).to.equal('303 /panel/consent/*');
    expect(outcomeOf(await described({}, { redirect_uri: LOOPBACK.replace('5555', '6666') })())).to.equal(
      '303 /panel/consent/*',
    );
  });

  const notFetched: readonly Row[] = [
    'http://app.example/client.json',
    'https://app.example/client.json#x',
    'https://evil@app.example/client.json',
    'https://app.example/x/../client.json',
    'https://app.example/%2e%2e/client.json',
    'https://app.example/client json',
    'https://app.example\\client.json',
    'https://',
    'ftp://app.example/client.json',
    'data:application/json,{}',
    `https://app.example/${'x'.repeat(500)}`,
  ].map((id) => [`at ${id.slice(0, 60)}`, () => server.ask(id), NO_CLIENT]);
  refuses(notFetched);

  it('without asking for it, when its address is none', () => expect(asked).to.deep.equal([]));

  refuses([
    ['of another client', described({ client_id: 'https://app.example/other.json' }), BAD],
    [
      'with a slash at the end of its id',
      () => described({ client_id: `https://app.example/${count + 1}.json/` })(),
      BAD,
    ],
    ['without an id', described({ client_id: undefined }), BAD],
    ['with a secret', described({ client_secret: 'secret' }), BAD],
    ['with the end of a secret', described({ client_secret_expires_at: 0 }), BAD],
    ['with a secret for its authentication', described({ token_endpoint_auth_method: 'client_secret_basic' }), BAD],
    [
      'with an authentication that the server does not offer',
      described({ token_endpoint_auth_method: 'private_key_jwt' }),
      BAD,
    ],
    ['without redirect URIs', described({ redirect_uris: undefined }), '400 invalid_redirect_uri'],
    ['with a redirect URI that is none', described({ redirect_uris: ['x'] }), '400 invalid_redirect_uri'],
    ['with redirect URIs that are numbers', described({ redirect_uris: [1] }), '400 invalid_redirect_uri'],
    ['that leads to javascript', redirecting('javascript:alert(1)//'), '400 invalid_redirect_uri'],
    ['that leads to data', redirecting('data:text/html,x'), '400 invalid_redirect_uri'],
    ['that leads to vbscript', redirecting('vbscript:x'), '400 invalid_redirect_uri'],
    ['that leads to a file', redirecting('file:///etc/passwd'), '400 invalid_redirect_uri'],
    ['that leads to a blob', redirecting('blob:https://app.example/x'), '400 invalid_redirect_uri'],
    ['that leads to a fragment', redirecting(`${LOOPBACK}#x`), '400 invalid_redirect_uri'],
    ['that leads to http elsewhere', redirecting('http://app.example/callback'), '400 invalid_redirect_uri'],
    ['that leads to user information', redirecting('https://app.example@evil.example/'), '400 invalid_redirect_uri'],
    ['that leads to a scheme without a dot', redirecting('intent://evil'), '400 invalid_redirect_uri'],
    ['that leads to the mail', redirecting('mailto:x@evil.example'), '400 invalid_redirect_uri'],
    [
      'that acts for itself',
      described({ grant_types: ['client_credentials'], response_types: [] }),
      '400 invalid_request',
    ],
    [
      'that wants tokens in addresses',
      described({ grant_types: ['implicit'], response_types: ['token'] }),
      '400 invalid_request',
    ],
    ['that is no JSON', answered((_request, response) => response.end('<html>')), NO_CLIENT],
    ['that is empty', answered((_request, response) => response.end()), NO_CLIENT],
    ['that is a list', answered((_request, response) => response.end('[]')), BAD],
    ['that is null', answered((_request, response) => response.end('null')), BAD],
    [
      'that is not found',
      answered((_request, response) => response.writeHead(404).end(JSON.stringify(GOOD))),
      NO_CLIENT,
    ],
    [
      'of 1 MB',
      answered((_request, response) => response.end(JSON.stringify({ ...GOOD, x: 'x'.repeat(1_000_000) }))),
      NO_CLIENT,
    ],
    ['that does not come', answered(() => undefined), NO_CLIENT],
    ['whose connection ends', answered(({ socket }) => socket.destroy()), NO_CLIENT],
    [
      'that leads on',
      answered((_request, response) => response.writeHead(302, { Location: `${site.url}/else` }).end()),
      NO_CLIENT,
    ],
  ]);

  it('without following where it leads', async () => {
    await answered((_request, response) => response.writeHead(301, { Location: `${site.url}/else` }).end())();
    expect(asked).to.have.length(1);
  });

  it('however slowly it comes, without an end', async () => {
    expect(outcomeOf(await answered((_request, response) => drip(response))())).to.equal(NO_CLIENT);
    expect(asked).to.have.length(1);
  });
});

/** Sends a document that has no end. */
function drip(response: Parameters<RequestListener>[1]): void {
  const timer = setInterval(() => response.write(' '), 100);
  response.on('close', () => clearInterval(timer));
}

/** Returns the options without what ends connections to this machine. */
function withoutGuard(options: Parameters<Fetch>[1] = {}): Parameters<Fetch>[1] {
  const { dispatcher: _guard, ...rest } = options as typeof options & { readonly dispatcher?: unknown };
  return rest;
}

function textOf(url: Parameters<Fetch>[0]): string {
  return url instanceof Request ? url.url : url.toString();
}

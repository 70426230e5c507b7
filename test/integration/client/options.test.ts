import { expect } from 'chai';
import { getEventListeners } from 'node:events';
import { createServer } from 'node:http';
import { runInNewContext } from 'node:vm';
import { createClient } from '../../../adapters/client/index.js';
import { listening, type Listening } from '../../support/socket.js';
import { failure, LIST } from './answers.js';

describe('The options of the client', () => {
  let server: Listening | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  async function serving() {
    const started = await listening(
      createServer((_, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(LIST));
      }),
    );
    server = started;
    return started.url;
  }

  const REFUSED: Readonly<Record<string, string>> = {
    'market.example':
      'baseUrl must be a URL, such as https://market.example/api, not "market.example"; ' +
      'did you mean https://market.example?',
    'localhost:3000/api':
      'baseUrl must begin with http:// or https://, such as https://market.example/api, not "localhost:3000/api"; ' +
      'did you mean http://localhost:3000/api?',
    '127.0.0.1:3000/api': 'did you mean http://127.0.0.1:3000/api?',
    'market.example:8443/api': 'did you mean https://market.example:8443/api?',
    'ftp://market.example/api': 'baseUrl must begin with http:// or https://',
    'file:///api': 'baseUrl must begin with http:// or https://',
    '/api':
      'baseUrl must be a URL, such as https://market.example/api, not "/api"; a path works in a page of a browser alone',
    '': 'baseUrl must be a URL',
    'https://': 'baseUrl must be a URL',
    'https://ada:secret@market.example/api': 'baseUrl must have no user name and no password',
    'https://market.example/api?key=1': 'baseUrl must be without ? and #',
    'https://market.example/#api': 'baseUrl must be without ? and #',
  };
  for (const [baseUrl, sentence] of Object.entries(REFUSED))
    it(`baseUrl "${baseUrl}" is refused when the client is made`, () => {
      expect(() => createClient({ baseUrl }))
        .to.throw(TypeError)
        .with.property('message')
        .that.includes(sentence)
        .and.not.includes('secret');
    });

  it('an option that does not exist is refused by its name, with those that do', () => {
    const options = { baseUrl: 'https://market.example', retry: 1 };
    expect(() => createClient(options)).to.throw(
      TypeError,
      'createClient has no option retry; it has baseUrl, key, token, fetch, retries, timeout',
    );
  });

  it('baseUrl may end with slashes', async () => {
    const url = await serving();
    for (const baseUrl of [url, `${url}/`, `${url}/api//`])
      expect(await createClient({ baseUrl }).automations.page()).to.deep.equal(LIST);
  });

  it('a key and a token, and counts and times that cannot be meant, are refused', () => {
    const baseUrl = 'https://market.example';
    const both = { baseUrl, key: 'a', token: () => 'b' };
    expect(() => createClient(both)).to.throw(TypeError, 'a key or a token, not both');
    for (const retries of [-1, 1.5, NaN, Infinity])
      expect(() => createClient({ baseUrl, retries })).to.throw(TypeError, 'retries must be an integer from 0');
    const sentence = 'timeout must be from 1 to 2147483647 milliseconds';
    for (const timeout of [0, -1, NaN, Infinity, 2 ** 31])
      expect(() => createClient({ baseUrl, timeout })).to.throw(TypeError, sentence);
  });

  it('fetch is called with an address and an init, never with a Request', async () => {
    const url = await serving();
    const calls: unknown[] = [];
    const fetch = (address: string, init: RequestInit) => {
      calls.push([typeof address, init.method]);
      return globalThis.fetch(address, { ...init, keepalive: false });
    };
    expect(await createClient({ baseUrl: `${url}/api`, key: 'key', fetch }).automations.page()).to.deep.equal(LIST);
    expect(calls).to.deep.equal([['string', 'GET']]);
  });

  it('a key that no header can have is an error that does not show it, and nothing is sent', async () => {
    const url = await serving();
    for (const key of ['se\ncret', 'sécret…', 'se\0cret']) {
      const error = await failure(createClient({ baseUrl: url, key }).automations.page());
      expect(error).to.be.instanceOf(TypeError);
      expect(error.message).to.include('the header Authorization').and.not.to.include('cret');
    }
    expect(await createClient({ baseUrl: url, key: 'secret\n' }).automations.page()).to.deep.equal(LIST);
  });

  it('an error of another realm is named by its cause, and not tried again when it cannot pass', async () => {
    let calls = 0;
    const fetch = () => {
      calls += 1;
      const failed = `Object.assign(new TypeError('fetch failed'), { cause: new Error('self-signed certificate') })`;
      return Promise.reject(runInNewContext(failed) as Error);
    };
    const { message } = await failure(createClient({ baseUrl: 'https://market.example', fetch }).automations.page());
    expect(message).to.equal('GET https://market.example/automations got no response: self-signed certificate');
    expect(calls).to.equal(1);
  });

  /** What the `fetch` of each runtime says of a server that cannot be reached by asking again. */
  const CANNOT_PASS: Readonly<Record<string, string>> = {
    'Node, a host that does not exist': 'getaddrinfo ENOTFOUND nothing.invalid',
    'Node, https to a server that speaks http': 'wrong version number (ERR_SSL_WRONG_VERSION_NUMBER)',
    'Node, a server that does not speak HTTP': 'Expected HTTP/ (HPE_INVALID_CONSTANT)',
    'Bun, https to a server that speaks http': 'EPROTO: The TLS handshake failed.',
    'Bun, a server that does not speak HTTP': 'Malformed_HTTP_Response fetching "https://market.example"',
    'Deno, a host that does not exist':
      'client error (Connect): dns error: failed to lookup address information: Name or service not known',
    'Deno, https to a server that speaks http':
      'client error (Connect): received corrupt message of type InvalidContentType',
    'Deno, a certificate that nobody knows': 'client error (Connect): invalid peer certificate: UnknownIssuer',
    'Deno, a server that does not speak HTTP': 'client error (SendRequest): invalid HTTP version parsed',
  };
  for (const [name, message] of Object.entries(CANNOT_PASS))
    it(`${name}: the error has the reason, and the server is not asked again`, async () => {
      let calls = 0;
      const fetch = () => {
        calls += 1;
        return Promise.reject(new TypeError(message));
      };
      const client = createClient({ baseUrl: 'https://market.example', fetch, retries: 1 });
      expect((await failure(client.automations.page())).message).to.include(message);
      expect(calls).to.equal(1);
    });

  it('the error of a token function is passed on, and the function is not asked again', async () => {
    const reason = new Error('signed out');
    let asked = 0;
    const token = () => {
      asked += 1;
      return Promise.reject(reason);
    };
    expect(await failure(createClient({ baseUrl: await serving(), token }).automations.page())).to.equal(reason);
    expect(asked).to.equal(1);
  });

  it('a signal has one listener for each call under way, and none afterwards', async () => {
    const client = createClient({ baseUrl: await serving() });
    const { signal } = new AbortController();
    for (let round = 0; round < 3; round += 1) {
      const calls = [1, 2, 3].map(() => client.automations.page({}, { signal }));
      await Promise.resolve();
      expect(getEventListeners(signal, 'abort')).to.have.length(3);
      await Promise.all(calls);
      expect(getEventListeners(signal, 'abort')).to.have.length(0);
    }
  });

  it('a signal that was aborted before sends nothing', async () => {
    const reason = new Error('mine');
    let calls = 0;
    const fetch = () => {
      calls += 1;
      return Promise.reject(new Error('sent'));
    };
    const client = createClient({ baseUrl: 'http://127.0.0.1/api', fetch });
    expect(await failure(client.automations.page({}, { signal: AbortSignal.abort(reason) }))).to.equal(reason);
    expect(calls).to.equal(0);
  });
});

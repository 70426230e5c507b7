import { Market, type Client } from './market.js';
import { refuses, type Row } from './outcome.js';

const HTTPS = 'https://app.example/callback';
const LOOPBACK = 'http://127.0.0.1:5555/callback';
const REFUSED = '400 invalid_redirect_uri';

describe('The authorization server leads nobody to a redirect URI', () => {
  let market: Market;
  let web: Client;
  let native: Client;

  before(async () => {
    market = await Market.open();
    web = await market.register('web', { redirectUris: [HTTPS] });
    native = await market.register('native', { redirectUris: [HTTPS, LOOPBACK, 'com.example.app:/callback'] });
  });
  after(() => market.close());

  const row = (title: string, address: string, client = () => native): Row => [
    title,
    () => market.ask(client(), { redirect_uri: address }),
    REFUSED,
  ];

  refuses([
    row('with another path', 'https://app.example/other'),
    row('that goes on behind a registered one', `${HTTPS}/more`),
    row('that leads up and down again', 'https://app.example/x/../callback'),
    row('that ends earlier', 'https://app.example/'),
    row('with a slash at its end', `${HTTPS}/`),
    row('with user information', 'https://app.example@evil.example/callback'),
    row('with user information at the host', 'https://evil@app.example/callback'),
    row('with a fragment', `${HTTPS}#evil`),
    row('with an empty fragment', `${HTTPS}#`),
    row('with a query that was added', `${HTTPS}?next=https://evil.example`),
    row('with an empty query', `${HTTPS}?`),
    row('with another case in its path', 'https://app.example/Callback'),
    row('with another case in its host', 'https://APP.example/callback'),
    row('with another case in its scheme', 'HTTPS://app.example/callback'),
    row('with a percent-encoded character', 'https://app.example/%63allback'),
    row('with a dot at the end of its host', 'https://app.example./callback'),
    row('with another port of https', 'https://app.example:8443/callback'),
    row('with the usual port of https', 'https://app.example:443/callback'),
    row('with http in place of https', 'http://app.example/callback'),
    row('at a host below', 'https://evil.app.example/callback'),
    row('at a host that begins with a registered one', 'https://app.example.evil.example/callback'),
    row('at a backslash', 'https://evil.example\\@app.example/callback'),
    row('with a line break', `${HTTPS}\r\nLocation: https://evil.example`),
    row('with a space before it', ` ${HTTPS}`),
    row('with a tab inside', 'https://app.exa\tmple/callback'),
    row('with a NUL byte', `${HTTPS}\0`),
    row('with javascript', 'javascript:alert(1)//'),
    row('with data', 'data:text/html,<script>alert(1)</script>'),
    row('without a host', '//app.example/callback'),
    row('that is a path', '/callback'),
    row('on localhost in place of 127.0.0.1', 'http://localhost:5555/callback'),
    row('below localhost', 'http://localhost.evil.example:5555/callback'),
    row('on 127.0.0.1 with another path', 'http://127.0.0.1:5555/other'),
    row('on another address of the loopback network', 'http://127.0.0.2:5555/callback'),
    row('on 127.0.0.1 written as a number', 'http://2130706433:5555/callback'),
    row('on 127.0.0.1 with user information', 'http://127.0.0.1:5555@evil.example/callback'),
    row('on another port of 127.0.0.1 with a query', 'http://127.0.0.1:5556/callback?evil'),
    row('on another port of 127.0.0.1 over https', 'https://127.0.0.1:5555/callback'),
    row('with the scheme of the app and another path', 'com.example.app:/other'),
    row('with the scheme of another app', 'com.evil.app:/callback'),
    row('of another app of the same developer', LOOPBACK, () => web),
    row('of 5,000 characters', HTTPS + 'x'.repeat(5_000)),
    [
      'that is missing, when there are several',
      () => market.ask(native, { redirect_uri: undefined }),
      '400 invalid_request',
    ],
    ['that is empty', () => market.ask(native, { redirect_uri: '' }), '400 invalid_request'],
    [
      'that is given twice',
      () => market.ask(native, { redirect_uri: [HTTPS, 'https://evil.example'] }),
      '400 invalid_request',
    ],
    [
      'that is foreign, when something else is wrong',
      () => market.ask(native, { redirect_uri: 'https://evil.example', scope: 'unknown', response_type: 'token' }),
      REFUSED,
    ],
  ]);
});

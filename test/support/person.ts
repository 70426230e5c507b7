import * as client from 'openid-client';
import { APP, AUDIENCE } from './issuer.js';

/** What the app is given once a person has agreed. */
export interface Granted {
  readonly accessToken: string;
  readonly idToken: string;
}

/** A person signs in at the issuer and lets the app act for them: authorization code with PKCE (RFC 7636). */
export async function signIn(issuer: string, login: string, scope: string): Promise<Granted> {
  // oxlint-disable-next-line typescript/no-deprecated -- the issuer of tests speaks plain http
  const options = { execute: [client.allowInsecureRequests] };
  const configuration = await client.discovery(new URL(issuer), APP.client_id, undefined, client.None(), options);
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const start = client.buildAuthorizationUrl(configuration, {
    redirect_uri: APP.redirect_uri,
    scope: `openid ${scope}`,
    resource: AUDIENCE,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
  });
  const callback = await walk(start, login);
  const checks = { pkceCodeVerifier, expectedState, idTokenExpected: true };
  const { access_token: accessToken, id_token: idToken = '' } = await client.authorizationCodeGrant(
    configuration,
    callback,
    checks,
    {
      resource: AUDIENCE,
    },
  );
  return { accessToken, idToken };
}

/** What a browser does between the app and its callback: the issuer asks who it is, then whether that is wanted. */
export async function walk(start: URL, login: string): Promise<URL> {
  const browser = new Browser();
  const toLogin = await browser.send(start);
  const toConsent = await browser.send(await browser.send(toLogin, { prompt: 'login', login, password: 'any' }));
  return browser.send(await browser.send(toConsent, { prompt: 'consent' }));
}

class Browser {
  readonly #cookies = new Map<string, string>();

  /** Opens an address, or sends a form there, and answers where it is told to go. */
  async send(url: URL, form?: Readonly<Record<string, string>>): Promise<URL> {
    const cookie = Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const sending = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) };
    const answer = await fetch(url, { ...sending, redirect: 'manual', headers: { cookie } });
    for (const [, name = '', value = ''] of answer.headers
      .getSetCookie()
      .map((line) => /^([^=]+)=([^;]*)/.exec(line) ?? []))
      this.#cookies.set(name, value);
    const location = answer.headers.get('Location');
    if (location === null) throw new Error(`${url.href} answered ${answer.status}: ${await answer.text()}`);
    return new URL(location, url);
  }
}

import * as oauth from 'openid-client';
import type { RegisteredApp } from '../../application/developer-apps.js';
import type { Visitor } from './panel-visitor.js';

/** Where the apps of tests are led back to. Nothing listens there. */
export const REDIRECT = 'http://127.0.0.1:5555/callback';
const STATE = 'state of the app';
/** The services of tests speak HTTP on the loopback address. */
// oxlint-disable-next-line typescript/no-deprecated
const EXTENSIONS: oauth.DiscoveryRequestOptions = { execute: [oauth.allowInsecureRequests], algorithm: 'oauth2' };

/** A request for authorization, and the secret with which its code is exchanged. */
export interface Asked {
  readonly url: URL;
  readonly verifier: string;
}

/** An app, as its maker writes it with openid-client. */
export class OAuthApp {
  private constructor(
    readonly config: oauth.Configuration,
    readonly redirectUri: string,
  ) {}

  /** Reads the metadata of the server of a service (RFC 8414). */
  static async of(
    serviceUrl: string,
    { app, secret }: Pick<RegisteredApp, 'secret'> & { readonly app: { readonly id: string } },
    redirectUri = REDIRECT,
    authentication = secret === undefined ? oauth.None() : oauth.ClientSecretBasic(secret),
  ): Promise<OAuthApp> {
    const issuer = new URL(`${serviceUrl}/oauth`);
    const config = await oauth.discovery(issuer, app.id, undefined, authentication, EXTENSIONS);
    return new OAuthApp(config, redirectUri);
  }

  /** Returns the address to which the app leads the browser. */
  async ask(more: Readonly<Record<string, string>> = {}): Promise<Asked> {
    const verifier = oauth.randomPKCECodeVerifier();
    const url = oauth.buildAuthorizationUrl(this.config, {
      redirect_uri: this.redirectUri,
      scope: 'automations:read automations:write',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state: STATE,
      ...more,
    });
    return { url, verifier };
  }

  /** Exchanges the code in the address to which the browser was led back. */
  exchange(callback: string, { verifier }: Pick<Asked, 'verifier'>) {
    const checks = { pkceCodeVerifier: verifier, expectedState: STATE };
    return oauth.authorizationCodeGrant(this.config, new URL(callback), checks);
  }

  refresh(refreshToken: string) {
    return oauth.refreshTokenGrant(this.config, refreshToken);
  }

  /** Goes through everything with a browser without scripts, in which a person is signed in who allows. */
  async connect(visitor: Visitor, more?: Readonly<Record<string, string>>) {
    const asked = await this.ask(more);
    return this.exchange(await answer(visitor, asked.url, 'allow'), asked);
  }
}

/** Opens the address of a request, answers the question, and returns the address to which the app is led back. */
export async function answer(visitor: Visitor, { pathname, search }: URL, what: 'allow' | 'cancel'): Promise<string> {
  const question = await placeOf(visitor.open(pathname + search));
  await visitor.open(question);
  const resume = new URL(await placeOf(visitor.submit(question, { answer: what })), visitor.url);
  return placeOf(visitor.open(resume.pathname + resume.search));
}

async function placeOf(answered: ReturnType<Visitor['open']>): Promise<string> {
  const { status, headers, body } = await answered;
  const place = headers.get('location');
  if (status !== 303 || place === null) throw new Error(`the answer was ${status}: ${body.slice(0, 2_000)}`);
  return place;
}

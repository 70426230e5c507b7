/**
 * The sign-in with the account of an organisation: one issuer of OpenID Connect, for panel and catalogue.
 * @module automation-marketplace-sign-in
 */
import * as client from 'openid-client';
import type { Origin } from '../../domain/access.js';
import { isSafeForTokens } from '../edge/public-url.js';
import type { IssuerRefused, IssuerSignedIn, IssuerSignIn, IssuerStart } from '../web/issuer-sign-in.js';
import { personOf } from './claims.js';
import { Issuer } from './issuer.js';
import { KeptSignIns } from './kept.js';
import { signInPerson } from './people.js';
import { checkedOptions, type SignInCore, type SignInOptions, type SignInSettings } from './options.js';
import { reasonOf, refusalOf } from './refusals.js';

export type { IssuerRefusal, IssuerRefused, IssuerSignedIn, IssuerSignIn, IssuerStart } from '../web/issuer-sign-in.js';
export type { ClaimRoles, RequiredClaim, SignInCore, SignInOptions } from './options.js';

/**
 * Returns the sign-in at an issuer, as an option of the panel, and begins to read what the issuer says of itself.
 * @throws TypeError when an option is not as it must be.
 */
export function createSignIn(core: SignInCore, options: SignInOptions): IssuerSignIn {
  return new OpenIdSignIn(core, checkedOptions(core, options));
}

/** A sign-in by authorization code, with PKCE, state and nonce. The protocol is that of the library. */
class OpenIdSignIn implements IssuerSignIn {
  readonly issuer: string;
  readonly name: string;
  readonly givesRoles: boolean;
  readonly #issuer: Issuer;
  readonly #kept: KeptSignIns;

  constructor(
    private readonly core: SignInCore,
    private readonly settings: SignInSettings,
  ) {
    this.issuer = settings.issuer;
    this.name = settings.name;
    this.givesRoles = settings.roles !== undefined;
    this.#issuer = new Issuer(settings);
    this.#kept = new KeptSignIns(settings.clientSecret);
  }

  isReachable(): boolean {
    return this.#issuer.isReachable();
  }

  async start(redirectUri: string, next: string): Promise<IssuerStart | IssuerRefused> {
    try {
      const [state, nonce] = [client.randomState(), client.randomNonce()];
      const verifier = client.randomPKCECodeVerifier();
      const url = client.buildAuthorizationUrl(await this.#issuer.read(), {
        redirect_uri: redirectUri,
        scope: this.settings.scopes,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { outcome: 'started', url: url.href, kept: await this.#kept.seal({ state, nonce, verifier, next }) };
    } catch (error) {
      return { outcome: 'unreachable', reason: reasonOf(error) };
    }
  }

  async finish(address: URL, sealed = '', origin: Origin = {}): Promise<IssuerSignedIn | IssuerRefused> {
    const kept = await this.#kept.open(sealed);
    if (kept === undefined) return { outcome: 'expired', reason: 'the browser did not begin this sign-in here' };
    let claims: client.IDToken | undefined;
    try {
      const { nonce: expectedNonce, state: expectedState, verifier: pkceCodeVerifier } = kept;
      const checks = { expectedNonce, expectedState, pkceCodeVerifier };
      claims = (await client.authorizationCodeGrant(await this.#issuer.read(), address, checks)).claims();
    } catch (error) {
      return refusalOf(error);
    }
    const person = personOf(claims ?? {}, this.settings, new Date());
    if ('outcome' in person) return person;
    const { isFirst, role, token } = await signInPerson(this.core, person, origin, this.settings.warn);
    if (token === undefined) return { outcome: 'suspended', reason: 'the account is suspended' };
    return { outcome: 'signed-in', token, role, isFirst, next: kept.next };
  }

  endSessionUrl(backTo: string): string | undefined {
    const { found } = this.#issuer;
    const { end_session_endpoint: endpoint = '' } = found?.serverMetadata() ?? {};
    if (found === undefined || !/^https?:/.test(endpoint) || !isSafeForTokens(endpoint)) return undefined;
    return client.buildEndSessionUrl(found, { post_logout_redirect_uri: backTo }).href;
  }
}

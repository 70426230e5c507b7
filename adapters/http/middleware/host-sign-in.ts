import type { IncomingMessage } from 'node:http';
import type { HostUser } from '../../../application/accounts.js';
import type { Context } from '../context.js';
import { assertOption } from '../host-options.js';
import { Problem } from '../problems/problem.js';
import { ours } from './authentication.js';

/** The options of pages whose visitors the host signs in. */
export interface HostSignInOptions {
  /**
   * Finds the user of a request, in place of accounts with passwords; undefined for a visitor who is not signed in.
   * The pages that sign in, invite, and change passwords and roles are not there then. Default: accounts of the
   * marketplace.
   */
  readonly authenticate?:
    | ((request: IncomingMessage) => HostUser | undefined | Promise<HostUser | undefined>)
    | undefined;
  /**
   * Where a visitor signs in, such as `/login`: a path or an http or https URL. It gets the parameter `next`, the path
   * to come back to. Without it, such a visitor gets 401. Only with `authenticate`.
   */
  readonly signInUrl?: string | undefined;
}

/** A base for paths, which no address that is sent has. */
const NO_HOST = 'http://host.invalid';
/** A path that no browser reads as the address of another host. */
const PATH = /^\/(?![/\\])[\x21-\x7E]*$/;
const CHALLENGE = { 'WWW-Authenticate': 'Cookie realm="automation-marketplace"' };

/** Finds the users of a host, and leads visitors to its sign-in. */
export class HostSignIn {
  readonly #found = new WeakMap<IncomingMessage, Promise<unknown>>();

  private constructor(
    private readonly authenticate: NonNullable<HostSignInOptions['authenticate']>,
    private readonly signInUrl: string | undefined,
  ) {}

  /**
   * Returns the sign-in of the host; undefined where the marketplace has accounts of its own.
   * @throws TypeError when an option is not as it must be
   */
  static of({ authenticate, signInUrl }: HostSignInOptions): HostSignIn | undefined {
    const isFunction = authenticate === undefined || typeof authenticate === 'function';
    assertOption(isFunction, 'authenticate must be a function that returns a user, or undefined');
    assertOption(signInUrl === undefined || authenticate !== undefined, 'signInUrl must come with authenticate');
    const isAddress = signInUrl === undefined || isPathOrUrl(signInUrl);
    assertOption(isAddress, 'signInUrl must be a path that begins with one slash, or an http or https URL');
    return authenticate && new HostSignIn(authenticate, signInUrl);
  }

  /** Returns what the host says of a request, which may be anything. The host is asked once. */
  find(request: IncomingMessage): Promise<unknown> {
    const earlier = this.#found.get(request);
    if (earlier !== undefined) return earlier;
    const found = ours('authenticate failed', async () => (await this.authenticate(request)) ?? undefined);
    this.#found.set(request, found);
    return found;
  }

  /**
   * Leads a visitor to the sign-in of the host, with the path of the page to come back to.
   * @throws Problem for a user who is suspended, whom the host would lead back at once, and without `signInUrl`
   */
  async refuse(ctx: Context, base: string): Promise<void> {
    if ((await this.find(ctx.req)) !== undefined)
      throw new Problem('insufficient-scope', 'This account is suspended. Ask the operator of the marketplace.');
    if (this.signInUrl === undefined)
      throw new Problem('missing-credentials', 'Sign in first, then open this page again.', { headers: CHALLENGE });
    const url = new URL(this.signInUrl, NO_HOST);
    url.searchParams.set('next', `${base}${ctx.path}${ctx.method === 'POST' ? '' : ctx.search}`);
    ctx.status = 303;
    ctx.set('Location', url.origin === NO_HOST ? url.href.slice(NO_HOST.length) : url.href);
  }
}

function isPathOrUrl(address: unknown): boolean {
  if (typeof address !== 'string') return false;
  return PATH.test(address) || (/^https?:\/\//.test(address) && URL.canParse(address));
}

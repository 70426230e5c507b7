import { DomainError } from '../../../application/index.js';
import { isLoopback } from '../../../domain/app.js';
import { CONNECTION_LIFETIME_MS } from '../../../domain/connection.js';
import { boundedScopes } from '../../../domain/role.js';
import type { ConsentQuestion } from '../../web/consents.js';
import { seeOther } from '../../edge/send.js';
import { DAY_MS } from '../../web/views/times.js';
import { oauthOf } from '../oauth.js';
import { Refusal } from '../messages.js';
import { pagePolicy } from '../../web/page-policy.js';
import type { Panel } from '../panel.js';
import type { RequestOf, ShownForm } from '../request.js';
import { hintsOf } from '../scopes.js';
import { TEXTS } from '../texts/texts.js';

const T = TEXTS.consent;
const LIFETIME_DAYS = CONNECTION_LIFETIME_MS / DAY_MS;

type MemberRequest = RequestOf<'member'>;
type Source = Pick<ConsentQuestion, 'clientId' | 'registeredBy'>;

/** The question of an app to a person, which belongs to one browser. Every answer but the one that allows refuses. */
export const decide: ShownForm<'member'> = {
  show: async (request) => {
    const question = await oauthOf(request).consents.read(...asked(request));
    if (question === undefined) showGone(request);
    else await showQuestion(request, question);
  },
  submit: async (request) => {
    const { consents } = oauthOf(request);
    const isAllowed = request.text('answer') === 'allow';
    const address = isAllowed
      ? await consents.approve(...asked(request), request.signedIn.by).catch(refuseForbidden)
      : await consents.refuse(...asked(request));
    if (address === undefined) showGone(request);
    else seeOther(request.ctx, address);
  },
};

function asked(request: MemberRequest) {
  return [request.param(), request.ctx.req, request.ctx.res] as const;
}

/** After the form the browser is led to the app, for which the policy of this page has to make room. */
async function showQuestion(request: MemberRequest, question: ConsentQuestion): Promise<void> {
  const { account } = request.signedIn;
  const { name, scopes, audience, redirectUri } = question;
  const granted = boundedScopes(scopes, account.role);
  request.ctx.set('Content-Security-Policy', pagePolicy(redirectUri));
  request.show('consent', {
    title: T.title,
    frame: 'gate',
    name,
    source: await sourceOf(request.panel, question),
    account: account.signInName ?? account.id,
    granted: hintsOf(granted),
    refused: hintsOf(scopes.filter((scope) => !granted.includes(scope))).join(' '),
    audience: T.audiences[audience],
    next: nextOf(redirectUri),
    loopback: redirectUri !== undefined && isLoopback(redirectUri) ? T.loopback(new URL(redirectUri).host) : undefined,
    end: T.end(LIFETIME_DAYS),
  });
}

/** Returns who registered an app, or for one that is known by its metadata document alone the host of that. */
export async function sourceOf({ profiles }: Panel, { clientId, registeredBy }: Source) {
  if (registeredBy === undefined) return { host: new URL(clientId).host };
  return { developer: (await profiles.show(registeredBy)).name };
}

function nextOf(redirectUri: string | undefined): string {
  if (redirectUri === undefined) return T.device;
  const { protocol, host } = new URL(redirectUri);
  return protocol === 'https:' || protocol === 'http:' ? T.site(host) : T.ownScheme(protocol.slice(0, -1));
}

/** The role of the person may have changed since the page was shown. */
function refuseForbidden(error: unknown): never {
  if (!(error instanceof DomainError) || error.kind !== 'forbidden') throw error;
  throw new Refusal({ form: T.nothingAllowed }, 403);
}

function showGone(request: MemberRequest): void {
  request.show('consent-gone', { title: T.goneTitle, frame: 'gate' }, 404);
}

import { Problem } from '../../edge/problems/problem.js';
import type { ProblemSlug } from '../../edge/problems/table.js';
import { seeOther } from '../../edge/send.js';
import type { IssuerRefusal, IssuerRefused, IssuerSignIn } from '../../web/issuer-sign-in.js';
import { sessionToken } from '../../web/signed-in.js';
import { noSuchPage } from '../../web/views/error-page.js';
import type { Page, RequestOf } from '../request.js';
import { TEXTS } from '../texts/texts.js';
import { begin, nextIn, setSession } from './sign-in.js';

const T = TEXTS.organisation;

type VisitorRequest = RequestOf<'visitor'>;

/** What the browser keeps until it comes back. */
const COOKIE = 'panel-sign-in';

const SLUGS: Readonly<Record<IssuerRefusal, ProblemSlug>> = {
  unreachable: 'unavailable',
  cancelled: 'insufficient-scope',
  expired: 'malformed-request',
  'not-taken': 'malformed-request',
  'not-admitted': 'insufficient-scope',
  'no-role': 'insufficient-scope',
  'too-many-groups': 'insufficient-scope',
  suspended: 'insufficient-scope',
};

/** Leads to the issuer. */
export const startSignIn: Page<'visitor'> = async (request) => {
  const { ctx, panel, query } = request;
  const signIn = signInOf(request);
  const started = await signIn.start(returnAddress(request), nextIn(panel, query.get('next') ?? '') ?? '');
  if (started.outcome !== 'started') throw problemOf(started, signIn);
  setSession(request, started.kept, COOKIE);
  seeOther(ctx, started.url);
};

/** Ends a sign-in: the issuer has sent the browser back. What the browser had kept is used once. */
export const finishSignIn: Page<'visitor'> = async (request) => {
  const { ctx, panel } = request;
  const signIn = signInOf(request);
  const kept = sessionToken(ctx, panel, COOKIE);
  setSession(request, undefined, COOKIE);
  const outcome = await signIn.finish(new URL(returnAddress(request) + ctx.search), kept, request.origin());
  if (outcome.outcome !== 'signed-in') throw problemOf(outcome, signIn);
  const { token, role, isFirst, next } = outcome;
  // Buyers are never shown to others, so they choose no public name.
  const first = new URLSearchParams({ notice: 'first', next: next || panel.at });
  const nameFirst = `${panel.at}/account?${first.toString()}`;
  await begin(request, token, { next: isFirst && role !== 'buyer' ? nameFirst : next || undefined });
};

function signInOf({ panel }: VisitorRequest): IssuerSignIn {
  return panel.signIn ?? noSuchPage();
}

/** Returns the one address to which the issuer may send browsers back. */
function returnAddress(request: VisitorRequest): string {
  const address = request.publicAddress();
  if (address === undefined) throw new Problem('malformed-request', TEXTS.organisation.badHost);
  return `${address}/panel/signed-in`;
}

function problemOf({ outcome, reason }: IssuerRefused, { name }: IssuerSignIn): Problem {
  const [title, advice] = T.refusals[outcome](name);
  return new Problem(SLUGS[outcome], advice, { page: { title, advice }, reason });
}

import { timingSafeEqual } from 'node:crypto';
import type { Context } from '../http/context.js';
import { findSignedIn, sessionToken, type SignedInDeveloper } from '../http/middleware/signed-in.js';
import { Problem } from '../http/problems/problem.js';
import { refuseCrossSite, refuseWithoutTls } from './cross-site.js';
import { keptIn, readForm, type Form } from './form.js';
import { refusalOf, Refusal } from './messages.js';
import { askToSignIn } from './pages/sign-in.js';
import type { Panel } from './panel.js';
import { notFound, PanelRequest, seeOther } from './request.js';
import type { Audience, Audiences, FormPage, Member, Page, RequestOf } from './request.js';
import { TEXTS } from './texts/texts.js';

/** Responds to a request of a panel. */
export type Answer = (ctx: Context, panel: Panel) => Promise<void>;

/** Shows a page to its audience. Visitors sign in first, and come back. */
export function pageFor<Name extends Audience>(audience: Name, page: Page<Name>): Answer {
  return async (ctx, panel) => {
    const admitted = await admit(ctx, panel, audience);
    if (admitted === undefined) await leadToSignIn(ctx, panel);
    else await page(new PanelRequest(ctx, panel, admitted));
  };
}

/**
 * Takes a form of its audience. Refuses a form of another site. Nothing is done with a form that is not from a page of
 * the same session: it is shown again as it was typed, after a sign-in if the session has ended.
 */
export function formFor<Name extends Audience>(audience: Name, page: FormPage<Name>): Answer {
  return async (ctx, panel) => {
    refuseCrossSite(ctx, panel);
    if (audience === 'visitor') refuseWithoutTls(ctx, panel);
    const admitted = await admit(ctx, panel, audience);
    const form = await readForm(ctx);
    if (admitted === undefined && panel.host !== undefined) await panel.host.refuse(ctx, panel.base);
    else if (admitted === undefined) askToSignIn(new PanelRequest(ctx, panel, null, form));
    else if (isOfSession(form, admitted)) await submit(new PanelRequest(ctx, panel, admitted, form), page);
    else await showAgain(new PanelRequest(ctx, panel, admitted, keptIn(form)), page, earlierSession());
  };
}

type Rights<Name extends Audience> = (signedIn: SignedInDeveloper | undefined) => Audiences[Name] | undefined;

/** The rights of a person on the pages of an audience, by their role; undefined for a visitor who must sign in. */
const RIGHTS: { readonly [Name in Audience]: Rights<Name> } = {
  visitor: () => null,
  member: (signedIn) => signedIn && onTheirOwn(signedIn),
  seller: (signedIn) => signedIn && (signedIn.account.role === 'buyer' ? notFound() : onTheirOwn(signedIn)),
  operator: (signedIn) => signedIn && (signedIn.account.role === 'operator' ? onEverything(signedIn) : notFound()),
};

function onTheirOwn(signedIn: SignedInDeveloper): Audiences['member'] {
  return { ...signedIn, by: signedIn.person };
}

/** The audit names the account. */
function onEverything(signedIn: SignedInDeveloper): Audiences['operator'] {
  const { account, person } = signedIn;
  return { ...signedIn, by: { isOperator: true, operatorId: account.id, origin: person.origin } };
}

/**
 * Returns the person who is signed in, with their rights; undefined for a visitor who must sign in. The role is read
 * with each request.
 * @throws Problem `not-found` for a person who is not of the audience
 */
async function admit<Name extends Audience>(
  ctx: Context,
  panel: Panel,
  audience: Name,
): Promise<Audiences[Name] | undefined> {
  return RIGHTS[audience](audience === 'visitor' ? undefined : await findSignedIn(ctx, panel));
}

/** Visitors have no session yet: the check of the site alone protects their forms. */
function isOfSession(form: Form, signedIn: Member | null): boolean {
  if (signedIn === null) return true;
  const [sent, own] = [Buffer.from(form.get('token') ?? ''), Buffer.from(signedIn.formToken)];
  return sent.length === own.length && timingSafeEqual(sent, own);
}

async function submit<Name extends Audience>(request: RequestOf<Name>, page: FormPage<Name>): Promise<void> {
  try {
    await page.submit(request);
  } catch (error) {
    if (page.again === undefined) throw error;
    await showAgain(request, page, refusalOf(error, request.panel, page));
  }
}

/** @throws Problem for a form without fields, which has nothing to show again. */
async function showAgain<Name extends Audience>(
  request: RequestOf<Name>,
  { again }: FormPage<Name>,
  { messages, status }: Refusal,
): Promise<void> {
  if (again === undefined) throw new Problem('cross-site-request', TEXTS.earlierSession);
  request.report(messages, status);
  await again(request);
}

function earlierSession(): Refusal {
  return new Refusal({ form: TEXTS.earlierSession }, 403);
}

async function leadToSignIn(ctx: Context, panel: Panel): Promise<void> {
  if (panel.host === undefined) seeOther(ctx, signInAddress(ctx, panel));
  else await panel.host.refuse(ctx, panel.base);
}

function signInAddress(ctx: Context, panel: Panel): string {
  const query = new URLSearchParams();
  if (sessionToken(ctx, panel) !== undefined) query.set('notice', 'ended');
  if (ctx.url !== '/panel') query.set('next', `${panel.base}${ctx.url}`);
  return `${panel.at}/sign-in${query.size === 0 ? '' : `?${query.toString()}`}`;
}

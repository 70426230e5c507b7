import { timingSafeEqual } from 'node:crypto';
import type { Context, SignedInDeveloper } from '../edge/context.js';
import { leadToSignIn } from '../web/signed-in.js';
import { Problem } from '../edge/problems/problem.js';
import { noSuchPage } from '../web/views/error-page.js';
import { refuseCrossSite, refuseWithoutTls } from '../web/cross-site.js';
import { keptIn, readForm, type Form } from '../web/form.js';
import { refusalOf, Refusal } from './messages.js';
import { askToSignIn } from './pages/sign-in.js';
import type { Panel } from './panel.js';
import { PanelRequest } from './request.js';
import type { Audience, Audiences, FormPage, Member, Page, RequestOf } from './request.js';
import { TEXTS } from './texts/texts.js';
import { readUpload, type Upload } from './upload.js';

/** Responds to a request of a panel. */
export type Answer = (ctx: Context, panel: Panel) => Promise<void>;

/** Shows a page to its audience. Visitors sign in first, and come back. */
export function pageFor<Name extends Audience>(audience: Name, page: Page<Name>): Answer {
  return async (ctx, panel) => {
    const admitted = RIGHTS[audience](ctx.state.signedIn);
    if (admitted === undefined) leadToSignIn(ctx, panel);
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
    const admitted = RIGHTS[audience](ctx.state.signedIn);
    const { form, files } = page.takesFile === true ? await readUpload(ctx, panel) : await formAlone(ctx);
    if (admitted === undefined && panel.host !== undefined) leadToSignIn(ctx, panel);
    else if (admitted === undefined) askToSignIn(new PanelRequest(ctx, panel, null, form));
    else if (isOfSession(form, admitted)) await submit(new PanelRequest(ctx, panel, admitted, form, files), page);
    else await showAgain(new PanelRequest(ctx, panel, admitted, keptIn(form)), page, earlierSession());
  };
}

async function formAlone(ctx: Context): Promise<Upload> {
  return { form: await readForm(ctx), files: [] };
}

type Rights<Name extends Audience> = (signedIn: SignedInDeveloper | undefined) => Audiences[Name] | undefined;

/**
 * The rights of a person on the pages of an audience, by their role, which is read with each request; undefined for a
 * visitor who must sign in. For a person who is not of the audience there is no such page.
 */
const RIGHTS: { readonly [Name in Audience]: Rights<Name> } = {
  visitor: () => null,
  member: (signedIn) => signedIn && onTheirOwn(signedIn),
  seller: (signedIn) => signedIn && (signedIn.account.role === 'buyer' ? noSuchPage() : onTheirOwn(signedIn)),
  operator: (signedIn) => signedIn && (signedIn.account.role === 'operator' ? onEverything(signedIn) : noSuchPage()),
};

function onTheirOwn(signedIn: SignedInDeveloper): Audiences['member'] {
  return { ...signedIn, by: signedIn.person };
}

/** The audit names the account. */
function onEverything(signedIn: SignedInDeveloper): Audiences['operator'] {
  const { account, person } = signedIn;
  return { ...signedIn, by: { isOperator: true, operatorId: account.id, origin: person.origin } };
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
    if (page.show === undefined) throw error;
    await showAgain(request, page, refusalOf(error, request.panel, page));
  }
}

/** @throws Problem for a form without a page of its own, which has nothing to show again. */
async function showAgain<Name extends Audience>(
  request: RequestOf<Name>,
  { show }: FormPage<Name>,
  { messages, status }: Refusal,
): Promise<void> {
  if (show === undefined) throw new Problem('cross-site-request', TEXTS.earlierSession);
  request.report(messages, status);
  await show(request);
}

function earlierSession(): Refusal {
  return new Refusal({ form: TEXTS.earlierSession }, 403);
}

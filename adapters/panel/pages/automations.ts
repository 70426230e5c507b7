import { DomainError, inMajorUnits, type Automation, type CountedCategory } from '../../../application/index.js';
import { WITHDRAWAL_REASON } from '../../../domain/automation.js';
import { decimalsOf, type Currency } from '../../../domain/currency.js';
import { textOf, type Form } from '../form.js';
import { authenticatedForm, authenticatedPage } from '../guards.js';
import { messagesIn, type Messages, type Wordings } from '../messages.js';
import { noticeIn, queryOf, seeOther, show } from '../page.js';
import { idOf, type Resource } from '../routes.js';
import { pagerLinks, positionIn } from '../pager.js';
import { moment } from '../times.js';
import { TEXTS } from '../texts.js';
import type { Context, Panel, SignedInDeveloper } from '../visit.js';
import { publicAddress } from './new-key.js';

const PAGE_SIZE = 20;

const T = TEXTS.automation;
const NOTICES = { withdrawn: TEXTS.automations.withdrawn };
const NOTICES_OF_ONE = { published: T.noticePublished, revised: T.noticeRevised, unchanged: T.noticeUnchanged };
const WORDINGS: Wordings = { reason: { label: TEXTS.withdraw.reasonLabel } };

/** The developer's automations on sale, one of them, and its withdrawal. */
export function automationPages(panel: Panel): Readonly<Record<string, Resource>> {
  return {
    '/automations': { GET: authenticatedPage(panel, (ctx, signedIn) => showList(ctx, panel, signedIn)) },
    '/automations/:id': { GET: authenticatedPage(panel, (ctx, signedIn) => showOne(ctx, panel, signedIn)) },
    '/automations/:id/withdraw': {
      GET: authenticatedPage(panel, (ctx, signedIn) => showWithdrawal(ctx, panel, signedIn, { reason: '' })),
      POST: authenticatedForm(panel, (ctx, signedIn, form) => withdraw(ctx, panel, signedIn, form)),
    },
  };
}

async function showList(ctx: Context, panel: Panel, signedIn: SignedInDeveloper): Promise<void> {
  const position = positionIn(queryOf(ctx));
  const [page, categories] = await Promise.all([
    panel.records.listOwn(signedIn.caller, { limit: PAGE_SIZE, before: position.before }),
    panel.marketplace.listCategories(signedIn.caller),
  ]);
  const automations = page.items.map((automation) => viewOf(automation, categories));
  const pages = pagerLinks(`${panel.at}/automations`, position, page);
  const isStart = position.before === undefined;
  const notice = noticeIn(ctx, NOTICES);
  const list = { automations, pages, isStart, notice };
  show(ctx, panel, 'automations', { title: TEXTS.automations.title, current: 'automations', signedIn, ...list });
}

async function showOne(ctx: Context, panel: Panel, signedIn: SignedInDeveloper): Promise<void> {
  const automation = await viewOfOwn(ctx, panel, signedIn);
  const address = `${publicAddress(ctx, panel) ?? ''}/api/automations/${automation.id}`;
  const notice = noticeIn(ctx, NOTICES_OF_ONE);
  const one = { automation, address, notice };
  show(ctx, panel, 'automation', { title: automation.title, current: 'automations', signedIn, ...one });
}

async function withdraw(ctx: Context, panel: Panel, signedIn: SignedInDeveloper, form: Form): Promise<void> {
  const reason = textOf(form, 'reason');
  try {
    await panel.marketplace.withdrawAutomation(signedIn.caller, idOf(ctx), reason.trim() === '' ? undefined : reason);
    seeOther(ctx, `${panel.at}/automations?notice=withdrawn`);
  } catch (error) {
    await showWithdrawal(ctx, panel, signedIn, { reason, messages: messagesIn(error, WORDINGS) });
  }
}

interface Filled {
  readonly reason: string;
  readonly messages?: Messages;
}

async function showWithdrawal(ctx: Context, panel: Panel, signedIn: SignedInDeveloper, filled: Filled): Promise<void> {
  const automation = await viewOfOwn(ctx, panel, signedIn);
  const form = { automation, reasonRule: WITHDRAWAL_REASON, ...filled };
  show(ctx, panel, 'withdraw', { title: TEXTS.withdraw.title, current: 'automations', signedIn, ...form });
}

/**
 * Returns the automation of the address, while it is on sale.
 * @throws DomainError `not-found`, also for an automation of another developer
 */
export async function ownAutomation(ctx: Context, { marketplace }: Panel, { caller }: SignedInDeveloper) {
  const automation = await marketplace.readAutomation(caller, idOf(ctx));
  if (automation.developerId !== caller.developerId)
    throw new DomainError('not-found', 'no-such-automation', T.notFound);
  return automation;
}

async function viewOfOwn(ctx: Context, panel: Panel, signedIn: SignedInDeveloper) {
  const automation = await ownAutomation(ctx, panel, signedIn);
  return viewOf(automation, await panel.marketplace.listCategories(signedIn.caller));
}

function viewOf(automation: Automation, categories: readonly CountedCategory[]) {
  const { id, title, description, categoryId, createdAt, updatedAt } = automation;
  const category = categories.find((one) => one.id === categoryId)?.name ?? categoryId;
  const price = priceText(inMajorUnits(automation.price), automation.price.currency);
  const revised = updatedAt > createdAt ? moment(updatedAt) : undefined;
  return { id, title, description, price, category, published: moment(createdAt), revised };
}

/** Returns a price for people: `$9.99`, or `Free`. Shows the decimals of ISO 4217; Intl omits some by default. */
export function priceText(amount: number, currency: Currency): string {
  if (amount === 0) return TEXTS.automations.free;
  const decimals = decimalsOf(currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat('en-US', { style: 'currency', currency, ...digits }).format(amount);
}

import { DomainError, inMajorUnits, type Automation, type CountedCategory } from '../../../application/index.js';
import { WITHDRAWAL_REASON } from '../../../domain/automation.js';
import { decimalsOf, type Currency } from '../../../domain/currency.js';
import { seeOther } from '../answers.js';
import { textOf, type Form } from '../form.js';
import { formOfMembers, forMembers } from '../guards.js';
import { messagesIn, type Messages, type Wordings } from '../messages.js';
import { noticeIn, queryOf, show } from '../page.js';
import { idOf, type Resource } from '../routes.js';
import { neighbours, placeIn } from '../stretches.js';
import { moment } from '../times.js';
import type { Context, Member, Panel } from '../visit.js';
import { publicAddress } from './new-key.js';

const AT_ONCE = 20;

const NOTICES = { withdrawn: 'The automation is withdrawn.' };
const NOTICES_OF_ONE = { published: 'Your automation is on sale.' };
const WORDINGS: Wordings = { reason: { label: 'The reason' } };

/** A developer's own automations on sale, one of them, and how it is withdrawn. */
export function automationPages(panel: Panel): Readonly<Record<string, Resource>> {
  return {
    '/automations': { GET: forMembers(panel, (ctx, member) => showList(ctx, panel, member)) },
    '/automations/:id': { GET: forMembers(panel, (ctx, member) => showOne(ctx, panel, member)) },
    '/automations/:id/withdraw': {
      GET: forMembers(panel, (ctx, member) => showWithdrawal(ctx, panel, member, { reason: '' })),
      POST: formOfMembers(panel, (ctx, member, form) => withdraw(ctx, panel, member, form)),
    },
  };
}

async function showList(ctx: Context, panel: Panel, member: Member): Promise<void> {
  const place = placeIn(queryOf(ctx));
  const [stretch, categories] = await Promise.all([
    panel.marketplace.listOwn(member.caller, { limit: AT_ONCE, before: place.before }),
    panel.marketplace.listCategories(member.caller),
  ]);
  const automations = stretch.items.map((automation) => viewOf(automation, categories));
  const pages = neighbours(`${panel.at}/automations`, place, stretch);
  const isStart = place.before === undefined;
  const notice = noticeIn(ctx, NOTICES);
  show(ctx, panel, 'automations', { title: 'Your automations', section: 'automations', member, automations, pages, isStart, notice });
}

async function showOne(ctx: Context, panel: Panel, member: Member): Promise<void> {
  const automation = await ownAutomation(ctx, panel, member);
  const address = `${publicAddress(ctx, panel) ?? ''}/api/automations/${automation.id}`;
  const notice = noticeIn(ctx, NOTICES_OF_ONE);
  show(ctx, panel, 'automation', { title: automation.title, section: 'automations', member, automation, address, notice });
}

async function withdraw(ctx: Context, panel: Panel, member: Member, form: Form): Promise<void> {
  const reason = textOf(form, 'reason');
  try {
    await panel.marketplace.withdrawAutomation(member.caller, idOf(ctx), reason.trim() === '' ? undefined : reason);
    seeOther(ctx, `${panel.at}/automations?notice=withdrawn`);
  } catch (error) {
    await showWithdrawal(ctx, panel, member, { reason, messages: messagesIn(error, WORDINGS) });
  }
}

interface Filled {
  readonly reason: string;
  readonly messages?: Messages;
}

async function showWithdrawal(ctx: Context, panel: Panel, member: Member, filled: Filled): Promise<void> {
  const automation = await ownAutomation(ctx, panel, member);
  const title = 'Withdraw this automation?';
  show(ctx, panel, 'withdraw', { title, section: 'automations', member, automation, reasonRule: WITHDRAWAL_REASON, ...filled });
}

/** @throws DomainError `not-found`, also for another developer's: what can be read is not theirs to look at here. */
async function ownAutomation(ctx: Context, { marketplace }: Panel, { caller }: Member) {
  const automation = await marketplace.readAutomation(caller, idOf(ctx));
  if (automation.developerId !== caller.developerId)
    throw new DomainError('not-found', 'no-such-automation', 'there is no automation of yours with this id');
  return viewOf(automation, await marketplace.listCategories(caller));
}

function viewOf({ id, title, description, price, categoryId, createdAt }: Automation, categories: readonly CountedCategory[]) {
  const category = categories.find((one) => one.id === categoryId)?.name ?? categoryId;
  return { id, title, description, price: priceText(inMajorUnits(price), price.currency), category, published: moment(createdAt) };
}

/** As people write it: `$9.99`, or `Free`; with the decimals that ISO 4217 has, which Intl leaves out where they are seldom used. */
export function priceText(amount: number, currency: Currency): string {
  if (amount === 0) return 'Free';
  const decimals = decimalsOf(currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat('en-US', { style: 'currency', currency, ...digits }).format(amount);
}

import { DomainError, isOperator, type ArchivedAutomation, type Automation } from '../../../application/index.js';
import { WITHDRAWAL_REASON } from '../../../domain/automation.js';
import type { Acting } from '../acting.js';
import { textOf, type Form } from '../form.js';
import { messagesIn, type Messages, type Wordings } from '../messages.js';
import { noticeIn, seeOther, show } from '../page.js';
import { idOf, type Resource } from '../routes.js';
import { preferences } from '../../http/middleware/negotiation.js';
import { localeOf } from '../../http/views/locales.js';
import { markdownToHtml } from '../../http/views/markdown.js';
import { addressOf, findDeveloper } from '../operator/accounts.js';
import type { Shelf } from '../shelf.js';
import { viewOf } from '../shown-automation.js';
import { TEXTS } from '../texts.js';
import type { Context, Panel } from '../visit.js';
import { publicAddress } from './new-key.js';

const T = TEXTS.automation;
const NOTICES = { published: T.noticePublished, revised: T.noticeRevised, unchanged: T.noticeUnchanged };
const WORDINGS: Wordings = { reason: { label: TEXTS.withdraw.reasonLabel } };

/** One automation of a shelf, and its withdrawal. */
export function oneAutomationPages(panel: Panel, shelf: Shelf): Readonly<Record<string, Resource>> {
  return {
    [`${shelf.path}/:id`]: { GET: shelf.page(panel, (ctx, acting) => showOne(ctx, panel, shelf, acting)) },
    [`${shelf.path}/:id/withdraw`]: {
      GET: shelf.page(panel, (ctx, acting) => showWithdrawal(ctx, panel, shelf, acting, { reason: '' })),
      POST: shelf.form(
        panel,
        (ctx, acting, form) => withdraw(ctx, panel, shelf, acting, form),
        (ctx, acting, form, messages) =>
          showWithdrawal(ctx, panel, shelf, acting, { reason: textOf(form, 'reason'), messages }),
      ),
    },
  };
}

/** Shows a withdrawn one, too: why, by whom, and to its developer how to publish it again. */
async function showOne(ctx: Context, panel: Panel, shelf: Shelf, signedIn: Acting): Promise<void> {
  const archived = await panel.records.read(signedIn.by, idOf(ctx));
  const { developerId } = archived.automation;
  const account = isOperator(signedIn.by) ? await findDeveloper(panel, signedIn.by, developerId) : undefined;
  const developer = account && addressOf(account, panel);
  const automation = { ...(await shown(ctx, archived, panel, signedIn)), developer };
  const address = `${publicAddress(ctx, panel) ?? ''}/api/automations/${automation.id}`;
  const one = { automation, address, shelf, list: `${panel.at}${shelf.path}`, notice: noticeIn(ctx, NOTICES) };
  show(ctx, panel, 'automation', { title: automation.title, current: shelf.current, signedIn, ...one });
}

async function withdraw(ctx: Context, panel: Panel, shelf: Shelf, signedIn: Acting, form: Form): Promise<void> {
  const reason = textOf(form, 'reason');
  try {
    await panel.marketplace.withdrawAutomation(signedIn.by, idOf(ctx), reason.trim() === '' ? undefined : reason);
    seeOther(ctx, `${panel.at}${shelf.path}?notice=withdrawn`);
  } catch (error) {
    await showWithdrawal(ctx, panel, shelf, signedIn, { reason, messages: messagesIn(error, WORDINGS) });
  }
}

interface Filled {
  readonly reason: string;
  readonly messages?: Messages;
}

async function showWithdrawal(
  ctx: Context,
  panel: Panel,
  shelf: Shelf,
  signedIn: Acting,
  filled: Filled,
): Promise<void> {
  const automation = await shown(ctx, { automation: await automationOnSale(ctx, panel, signedIn) }, panel, signedIn);
  const form = { automation, shelf, list: `${panel.at}${shelf.path}`, reasonRule: WITHDRAWAL_REASON, ...filled };
  show(ctx, panel, 'withdraw', { title: TEXTS.withdraw.title, current: shelf.current, signedIn, ...form });
}

/**
 * Returns the automation of the address, while it is on sale.
 * @throws DomainError `not-found`, for a developer also for an automation of another one
 */
export async function automationOnSale(ctx: Context, { records }: Panel, { by }: Acting): Promise<Automation> {
  const { automation, withdrawn } = await records.read(by, idOf(ctx));
  if (withdrawn !== undefined) throw new DomainError('not-found', 'no-such-automation', T.notFound);
  return automation;
}

async function shown(ctx: Context, archived: ArchivedAutomation, { marketplace }: Panel, { caller }: Acting) {
  const locale = localeOf(preferences(ctx, 'Accept-Language'));
  const view = viewOf(archived, await marketplace.listCategories(caller), locale);
  return { ...view, html: markdownToHtml(archived.automation.description) };
}

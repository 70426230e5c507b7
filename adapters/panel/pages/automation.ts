import { DomainError, type ArchivedAutomation, type Automation } from '../../../application/index.js';
import { WITHDRAWAL_REASON } from '../../../domain/automation.js';
import { textOf, type Form } from '../form.js';
import { sellerForm, sellerPage } from '../guards.js';
import { messagesIn, type Messages, type Wordings } from '../messages.js';
import { noticeIn, seeOther, show } from '../page.js';
import { idOf, type Resource } from '../routes.js';
import { localeOf } from '../../http/views/locales.js';
import { markdownToHtml } from '../../http/views/markdown.js';
import { viewOf } from '../shown-automation.js';
import { TEXTS } from '../texts.js';
import type { Context, Panel, SignedInDeveloper } from '../visit.js';
import { publicAddress } from './new-key.js';
import { withdrawersOf } from './withdrawers.js';

const T = TEXTS.automation;
const NOTICES = { published: T.noticePublished, revised: T.noticeRevised, unchanged: T.noticeUnchanged };
const WORDINGS: Wordings = { reason: { label: TEXTS.withdraw.reasonLabel } };

/** One automation of the developer's, and its withdrawal. */
export function oneAutomationPages(panel: Panel): Readonly<Record<string, Resource>> {
  return {
    '/automations/:id': { GET: sellerPage(panel, (ctx, signedIn) => showOne(ctx, panel, signedIn)) },
    '/automations/:id/withdraw': {
      GET: sellerPage(panel, (ctx, signedIn) => showWithdrawal(ctx, panel, signedIn, { reason: '' })),
      POST: sellerForm(panel, (ctx, signedIn, form) => withdraw(ctx, panel, signedIn, form)),
    },
  };
}

/** Shows a withdrawn one, too: why, by whom, and how to publish it again. */
async function showOne(ctx: Context, panel: Panel, signedIn: SignedInDeveloper): Promise<void> {
  const archived = await panel.records.read(signedIn.caller, idOf(ctx));
  const by = (await withdrawersOf(panel, signedIn, [archived])).get(archived.automation.id);
  const automation = { ...(await shown(ctx, archived, panel, signedIn)), by };
  const address = `${publicAddress(ctx, panel) ?? ''}/api/automations/${automation.id}`;
  const notice = noticeIn(ctx, NOTICES);
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
  const automation = await shown(ctx, { automation: await ownAutomation(ctx, panel, signedIn) }, panel, signedIn);
  const form = { automation, reasonRule: WITHDRAWAL_REASON, ...filled };
  show(ctx, panel, 'withdraw', { title: TEXTS.withdraw.title, current: 'automations', signedIn, ...form });
}

/**
 * Returns the automation of the address, while it is on sale.
 * @throws DomainError `not-found`, also for an automation of another developer
 */
export async function ownAutomation(
  ctx: Context,
  { marketplace }: Panel,
  { caller }: SignedInDeveloper,
): Promise<Automation> {
  const automation = await marketplace.readAutomation(caller, idOf(ctx));
  if (automation.developerId !== caller.developerId)
    throw new DomainError('not-found', 'no-such-automation', T.notFound);
  return automation;
}

async function shown(
  ctx: Context,
  archived: ArchivedAutomation,
  { marketplace }: Panel,
  { caller }: SignedInDeveloper,
) {
  const locale = localeOf(ctx.get('Accept-Language'));
  const view = viewOf(archived, await marketplace.listCategories(caller), locale);
  return { ...view, html: markdownToHtml(archived.automation.description) };
}

import type { Account } from '../../../application/index.js';
import { WITHDRAWAL_REASON } from '../../../domain/automation.js';
import { isChecked } from '../../http/views/check-box.js';
import { textOf, type Form } from '../form.js';
import type { Messages, Wordings } from '../messages.js';
import { noticeIn, queryOf, seeOther, show } from '../page.js';
import { idOf, notFound, type Resource } from '../routes.js';
import { TEXTS } from '../texts.js';
import type { Context, Panel } from '../visit.js';
import { listsOf } from '../pages/keys.js';
import { addressOf, DEVELOPERS_PATH, findDeveloper, messagesOfChange, viewOf } from './accounts.js';
import { ROLE_CHOICES } from './developers.js';
import { operatorForm, operatorPage, type SignedInOperator } from './guards.js';

const T = TEXTS.operator.developer;
const NOTICES = {
  role: T.noticeRole,
  suspended: T.noticeSuspended,
  restored: T.noticeRestored,
  revoked: TEXTS.keys.revoked,
};
const WORDINGS: Wordings = {
  role: { label: TEXTS.operator.developers.role },
  reason: {
    label: TEXTS.operator.suspend.reason,
    instead: { 'unknown-value': TEXTS.operator.suspend.reasonAlone },
  },
};

/** One developer: the role, the suspension, and the way back. */
export function oneDeveloperPages(panel: Panel): Readonly<Record<string, Resource>> {
  const at = `${DEVELOPERS_PATH}/:id`;
  // A form with a mistake is shown at its own address, from which a reload leads back.
  const back = operatorPage(panel, async (ctx, signedIn) =>
    seeOther(ctx, addressOf(await developerIn(ctx, panel, signedIn), panel)),
  );
  return {
    [at]: { GET: operatorPage(panel, (ctx, signedIn) => showDeveloper(ctx, panel, signedIn)) },
    [`${at}/role`]: {
      GET: back,
      POST: operatorForm(panel, (ctx, signedIn, form) => changeRole(ctx, panel, signedIn, form)),
    },
    [`${at}/suspend`]: {
      GET: operatorPage(panel, (ctx, signedIn) => showSuspension(ctx, panel, signedIn, EMPTY)),
      POST: operatorForm(
        panel,
        (ctx, signedIn, form) => suspend(ctx, panel, signedIn, form),
        (ctx, signedIn, form, messages) => showSuspension(ctx, panel, signedIn, typedIn(form), messages),
      ),
    },
    [`${at}/restore`]: {
      GET: back,
      POST: operatorForm(panel, (ctx, signedIn) => restore(ctx, panel, signedIn)),
    },
  };
}

/** @throws Problem `not-found` when there is no developer with the id in the address */
async function developerIn(ctx: Context, panel: Panel, { by }: SignedInOperator): Promise<Account> {
  return (await findDeveloper(panel, by, idOf(ctx))) ?? notFound();
}

async function changeRole(ctx: Context, panel: Panel, signedIn: SignedInOperator, form: Form): Promise<void> {
  const account = await developerIn(ctx, panel, signedIn);
  const [role, isOwn] = [textOf(form, 'role'), account.id === signedIn.account.id];
  const choice = ROLE_CHOICES.find(({ value }) => value === role);
  if (isOwn && choice !== undefined && role !== 'operator' && !isChecked(form.get('confirmed'))) {
    const page = { title: TEXTS.operator.ownRole.title, current: 'developers', signedIn } as const;
    show(ctx, panel, 'operator-own-role', { ...page, developer: viewOf(account, panel), choice });
    return;
  }
  try {
    await panel.accounts.setRole(signedIn.by, account.id, role);
    seeOther(ctx, isOwn && role !== 'operator' ? panel.at : `${addressOf(account, panel)}?notice=role`);
  } catch (error) {
    await showDeveloper(ctx, panel, signedIn, messagesOfChange(error, WORDINGS));
  }
}

async function restore(ctx: Context, panel: Panel, signedIn: SignedInOperator): Promise<void> {
  const account = await developerIn(ctx, panel, signedIn);
  await panel.accounts.restore(signedIn.by, account.id);
  seeOther(ctx, `${addressOf(account, panel)}?notice=restored`);
}

interface Suspension {
  readonly withdraws: boolean;
  readonly reason: string;
}

const EMPTY: Suspension = { withdraws: false, reason: '' };

function typedIn(form: Form): Suspension {
  return { withdraws: isChecked(form.get('withdraw')), reason: textOf(form, 'reason').trim() };
}

async function suspend(ctx: Context, panel: Panel, signedIn: SignedInOperator, sent: Form): Promise<void> {
  const account = await developerIn(ctx, panel, signedIn);
  const form = typedIn(sent);
  try {
    const options = { withdraw: form.withdraws, reason: form.reason === '' ? undefined : form.reason };
    const { withdrawn } = await panel.accounts.suspend(signedIn.by, account.id, options);
    const notice = `notice=suspended${withdrawn === undefined ? '' : `&withdrawn=${withdrawn}`}`;
    const isOwn = account.id === signedIn.account.id;
    seeOther(ctx, isOwn ? `${panel.at}/sign-in` : `${addressOf(account, panel)}?${notice}`);
  } catch (error) {
    await showSuspension(ctx, panel, signedIn, form, messagesOfChange(error, WORDINGS));
  }
}

async function showSuspension(
  ctx: Context,
  panel: Panel,
  signedIn: SignedInOperator,
  form: Suspension,
  messages: Messages = {},
): Promise<void> {
  const developer = viewOf(await developerIn(ctx, panel, signedIn), panel);
  const title = TEXTS.operator.suspend.title(developer.id);
  const isOwn = developer.id === signedIn.account.id;
  const data = { developer, form, messages, reasonRule: WITHDRAWAL_REASON, isOwn };
  show(ctx, panel, 'operator-suspend', { title, current: 'developers', signedIn, ...data });
}

async function showDeveloper(
  ctx: Context,
  panel: Panel,
  signedIn: SignedInOperator,
  messages: Messages = {},
): Promise<void> {
  const developer = viewOf(await developerIn(ctx, panel, signedIn), panel);
  const lists = await listsOf(ctx, panel, { by: signedIn.by, developer: developer.id, address: developer.href });
  const data = { developer, choices: ROLE_CHOICES, messages, notice: noticeOf(ctx), ...lists };
  show(ctx, panel, 'operator-developer', { title: developer.id, current: 'developers', signedIn, ...data });
}

/** Returns what was just done; for a suspension with how many automations were withdrawn, if the address has it. */
function noticeOf(ctx: Context): string | undefined {
  const notice = noticeIn(ctx, NOTICES);
  const count = /^\d{1,9}$/.exec(queryOf(ctx).get('withdrawn') ?? '')?.[0];
  return notice === T.noticeSuspended && count !== undefined ? T.noticeWithdrawn(Number(count)) : notice;
}

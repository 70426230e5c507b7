import { randomUUID } from 'node:crypto';
import type { Account } from '../../../application/accounts.js';
import { ROLES, type Operator } from '../../../application/index.js';
import { developerId } from '../../../domain/access.js';
import { WITHDRAWAL_REASON } from '../../../domain/automation.js';
import { isChecked } from '../../web/views/check-box.js';
import { noSuchPage } from '../../web/views/error-page.js';
import { moment } from '../../web/views/times.js';
import { Refusal, type Sentences } from '../messages.js';
import { cursorPages, positionIn, withQuery } from '../../web/pager.js';
import type { Panel } from '../panel.js';
import type { FormPage, ShownForm, RequestOf } from '../request.js';
import { TEXTS } from '../texts/texts.js';
import { viewOf as appView } from './apps.js';
import { keyLists } from './keys.js';

const PAGE_SIZE = 50;
const LIST = '/operator/developers';
const T = TEXTS.operator.developers;
const D = TEXTS.operator.developer;
const NOTICES = {
  role: D.noticeRole,
  name: D.noticeName,
  'app-revoked': D.noticeAppRevoked,
  suspended: D.noticeSuspended,
  restored: D.noticeRestored,
  revoked: TEXTS.keys.revoked,
};

const ROLE_CHOICES = ROLES.map((role) => ({ value: role, text: TEXTS.operator.roles[role] }));
/** Nothing chosen is no change. */
const INVITATION_CHOICES = [{ value: '', text: T.keepRole }, ...ROLE_CHOICES];

/** What a change of a developer says when it is refused. */
const SENTENCES: Sentences = {
  wordings: () => ({
    developer: { label: T.name },
    role: { label: T.role },
    name: { label: D.signInName, instead: { 'too-short': TEXTS.required(D.signInName), taken: D.nameTaken } },
    reason: {
      label: TEXTS.operator.suspend.reason,
      instead: { 'unknown-value': TEXTS.operator.suspend.reasonAlone },
    },
  }),
  conflicts: { 'last-operator': TEXTS.operator.lastOperator },
};

type OperatorRequest = RequestOf<'operator'>;

/** Shows a page of the developers, and the form that invites. */
export async function showDevelopers(request: OperatorRequest): Promise<void> {
  const { panel, signedIn, query } = request;
  const q = (query.get('q') ?? '').trim();
  const position = positionIn(query);
  const text = q || undefined;
  const found = await panel.accounts.list(signedIn.by, { limit: PAGE_SIZE, before: position.before, text });
  const { items } = found;
  const range = items.length === 0 ? '' : T.total(await panel.accounts.count(signedIn.by, text));
  const address = `${panel.at}${LIST}`;
  const pages = cursorPages(withQuery(address, { q }), position, found);
  const developers = items.map((one) => viewOf(panel, one));
  const form = { form: typedIn(request), choices: INVITATION_CHOICES, formId: randomUUID() };
  request.show('operator-developers', { title: T.title, developers, q, address, pages: { ...pages, range }, ...form });
}

export const invite: FormPage<'operator'> = {
  ...SENTENCES,
  show: showDevelopers,
  submit: async (request) => {
    const { panel, signedIn } = request;
    const { developer, role } = typedIn(request);
    if (developer === signedIn.account.id && role !== '' && role !== 'operator') throw new Refusal({ role: T.ownRole });
    if (panel.passwordsOff) throw new Refusal({ form: T.passwordsOff }, 409);
    const known = await findDeveloper(panel, signedIn.by, developer);
    if (known !== undefined && viewOf(panel, known).isOfIssuer)
      throw new Refusal({ developer: T.ofIssuer(panel.signIn?.name ?? '') }, 409);
    const invited = await request.once(() =>
      panel.accounts.invite(signedIn.by, developer, { role: role || undefined }),
    );
    if (invited === undefined) throw new Refusal({ form: T.alreadySent }, 409);
    const { token, namesake, suspendedAt } = invited;
    const link = `${request.publicAddress() ?? panel.base}/panel/welcome/${token}`;
    const page = { link, developer, isSuspended: suspendedAt !== undefined, namesake };
    request.show('operator-link', { title: TEXTS.operator.link.title, ...page });
  },
};

function typedIn(request: OperatorRequest) {
  return { developer: request.text('developer'), role: request.text('role') };
}

/** Shows one developer: the role, the access, the keys and the apps. */
export async function showDeveloper(request: OperatorRequest): Promise<void> {
  const developer = viewOf(request.panel, await developerIn(request));
  const lists = await keyLists(request, developer.href, developer.id);
  const form = { signInName: request.text('name', developer.signInName), formId: randomUUID() };
  const page = { title: developer.id, notice: noticeOf(request), developer, choices: ROLE_CHOICES, form };
  request.show('operator-developer', { ...page, ...lists, apps: await appsOf(request, developer.id) });
}

/** Returns all apps of a developer, who has few. */
async function appsOf({ panel, signedIn }: OperatorRequest, developer: string) {
  const page = await panel.oauth?.apps.list(signedIn.by, { developer, limit: PAGE_SIZE });
  return page === undefined ? [] : page.items.map(appView);
}

/** Leads to the page of the developer: a form with a mistake is shown at its own address. */
export async function backToDeveloper(request: OperatorRequest): Promise<void> {
  request.goTo(pathOf(await developerIn(request)));
}

/** Operators confirm that they give up their own role. */
export const changeRole: FormPage<'operator'> = {
  ...SENTENCES,
  show: showDeveloper,
  submit: async (request) => {
    const { panel, signedIn, form } = request;
    const account = await developerIn(request);
    const role = request.text('role');
    const isLeaving = account.id === signedIn.account.id && role !== 'operator';
    const choice = ROLE_CHOICES.find(({ value }) => value === role);
    const { roleIsOf } = viewOf(panel, account);
    if (roleIsOf !== undefined) throw new Refusal({ form: D.roleOfIssuer(roleIsOf) }, 409);
    if (isLeaving && choice !== undefined && !isChecked(form.get('confirmed'))) {
      const page = { title: TEXTS.operator.ownRole.title, developer: viewOf(panel, account), choice };
      request.show('operator-own-role', page);
      return;
    }
    await panel.accounts.setRole(signedIn.by, account.id, role);
    request.goTo(isLeaving ? '' : `${pathOf(account)}?notice=role`);
  },
};

export const changeName: FormPage<'operator'> = {
  ...SENTENCES,
  show: showDeveloper,
  submit: async (request) => {
    const account = await developerIn(request);
    await request.panel.accounts.rename(request.signedIn.by, account.id, request.text('name'));
    request.goTo(`${pathOf(account)}?notice=name`);
  },
};

export const suspend: ShownForm<'operator'> = {
  ...SENTENCES,
  show: async (request) => {
    const developer = viewOf(request.panel, await developerIn(request));
    const isOwn = developer.id === request.signedIn.account.id;
    const data = { developer, form: suspensionIn(request), reasonRule: WITHDRAWAL_REASON, isOwn };
    request.show('operator-suspend', { title: TEXTS.operator.suspend.title(developer.id), ...data });
  },
  submit: async (request) => {
    const { panel, signedIn } = request;
    const account = await developerIn(request);
    const { withdraw, reason } = suspensionIn(request);
    const options = { withdraw, reason: reason || undefined };
    const { withdrawn } = await panel.accounts.suspend(signedIn.by, account.id, options);
    const notice = `notice=suspended${withdrawn === undefined ? '' : `&withdrawn=${withdrawn}`}`;
    const out = panel.host === undefined ? '/sign-in' : '';
    request.goTo(account.id === signedIn.account.id ? out : `${pathOf(account)}?${notice}`);
  },
};

function suspensionIn(request: OperatorRequest) {
  return { withdraw: isChecked(request.form.get('withdraw')), reason: request.text('reason').trim() };
}

export const restore: FormPage<'operator'> = {
  submit: async (request) => {
    const account = await developerIn(request);
    await request.panel.accounts.restore(request.signedIn.by, account.id);
    request.goTo(`${pathOf(account)}?notice=restored`);
  },
};

/** @throws Problem `not-found` when there is no developer with the id in the address */
export async function developerIn(request: OperatorRequest): Promise<Account> {
  return (await findDeveloper(request.panel, request.signedIn.by, request.param())) ?? noSuchPage();
}

/** Returns what was just done; for a suspension with how many automations were withdrawn, if the address has it. */
function noticeOf(request: OperatorRequest): string | undefined {
  const notice = request.notice(NOTICES);
  const count = /^\d{1,9}$/.exec(request.query.get('withdrawn') ?? '')?.[0];
  return notice === D.noticeSuspended && count !== undefined ? D.noticeWithdrawn(Number(count)) : notice;
}

/** Returns the developer with this id; undefined for any other text. */
export async function findDeveloper({ accounts }: Panel, by: Operator, text: string): Promise<Account | undefined> {
  return developerId(text) === undefined ? undefined : accounts.find(by, text);
}

/** Returns the path of the page of one developer, below `/panel`. */
export function pathOf({ id }: Pick<Account, 'id'>): string {
  return `${LIST}/${encodeURIComponent(id)}`;
}

function viewOf({ at, host, signIn }: Pick<Panel, 'at' | 'host' | 'signIn'>, developer: Account) {
  const { role, addedAt, activeSince, suspendedAt } = developer;
  const isOfIssuer = developer.identities?.some(({ issuer }) => issuer === signIn?.issuer) ?? false;
  const status = host && suspendedAt === undefined ? 'active' : developer.status;
  return {
    ...developer,
    status,
    isOfIssuer,
    /** What people call the issuer whose claims give the role. */
    roleIsOf: isOfIssuer && signIn?.givesRoles === true ? signIn.name : undefined,
    href: `${at}${pathOf(developer)}`,
    roleText: TEXTS.operator.roles[role],
    statusText: T.statuses[status],
    added: moment(addedAt),
    active: activeSince && moment(activeSince),
    suspended: suspendedAt && moment(suspendedAt),
  };
}

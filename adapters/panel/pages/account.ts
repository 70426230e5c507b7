import { PASSWORD_LENGTH } from '../../../domain/password.js';
import type { SignInChange } from '../../../application/accounts.js';
import { seeOther } from '../../edge/send.js';
import { moment } from '../../web/views/times.js';
import { Refusal, type Sentences, type Wordings } from '../messages.js';
import type { FormPage, RequestOf } from '../request.js';
import { TEXTS } from '../texts/texts.js';
import { nextIn, setSession } from './sign-in.js';

const T = TEXTS.account;

const NOTICES = {
  first: T.first,
  profile: T.profileSaved,
  name: T.nameSaved,
  password: T.passwordSaved,
  ended: T.sessionEnded,
};

const WORDINGS: Wordings = {
  publicName: { label: T.publicName },
  website: { label: T.website },
  name: { label: T.name, instead: { 'too-short': TEXTS.required(T.name), taken: TEXTS.welcome.nameTaken } },
  current: { label: T.currentPassword },
  password: { label: T.newPassword, instead: { 'too-common': TEXTS.welcome.tooCommon } },
};

const SENTENCES: Sentences = { wordings: () => WORDINGS, conflicts: { 'revised-meanwhile': T.changedMeanwhile } };

type MemberRequest = RequestOf<'member'>;

/** Shows the public profile, the sign-in, and the sessions. */
export async function showAccount(request: MemberRequest): Promise<void> {
  const { panel, signedIn } = request;
  const { account, by } = signedIn;
  const sessions = panel.host ? [] : await panel.security.listSessions(by, request.sessionToken());
  const form = {
    publicName: typedOr(request, 'publicName', account.publicName),
    website: typedOr(request, 'website', account.website),
    name: typedOr(request, 'name', account.signInName),
  };
  const shown = sessions.map((one) => ({ ...one, signedIn: moment(one.signedInAt), until: moment(one.until) }));
  const page = { title: T.title, notice: request.notice(NOTICES), account, form, length: PASSWORD_LENGTH };
  const next = nextIn(panel, request.text('next', request.query.get('next') ?? ''));
  request.show('account', { ...page, next, sessions: shown });
}

/** Leads to the account page: a form with a mistake is shown at its own address, from which a reload leads back. */
export async function backToAccount(request: MemberRequest): Promise<void> {
  request.goTo('/account');
}

export const changeProfile: FormPage<'member'> = {
  show: showAccount,
  wordings: () => WORDINGS,
  submit: async (request) => {
    const profile = { publicName: request.text('publicName'), website: request.text('website') };
    await request.panel.profiles.change(request.signedIn.by, profile);
    const next = nextIn(request.panel, request.text('next'));
    if (next === undefined) request.goTo('/account?notice=profile');
    else seeOther(request.ctx, next);
  },
};

/** The two forms have the current password in fields of different names, as a page has each name once. */
export const changeSignInName: FormPage<'member'> = {
  ...SENTENCES,
  wordings: () => ({ ...WORDINGS, current: { label: T.currentPassword, field: 'nameCurrent' } }),
  show: showAccount,
  submit: async (request) => {
    await changeSignIn(request, { current: request.text('nameCurrent'), name: request.text('name') });
    request.goTo('/account?notice=name');
  },
};

export const changePassword: FormPage<'member'> = {
  ...SENTENCES,
  show: showAccount,
  submit: async (request) => {
    await changeSignIn(request, { current: request.text('current'), password: request.text('password') });
    request.goTo('/account?notice=password');
  },
};

export const signOutEverywhere: FormPage<'member'> = {
  submit: async (request) => {
    await request.panel.security.signOutEverywhere(request.signedIn.by);
    setSession(request);
    request.goTo('/sign-in?notice=signed-out');
  },
};

export const endSession: FormPage<'member'> = {
  submit: async (request) => {
    await request.panel.security.endSession(request.signedIn.by, request.param());
    request.goTo('/account?notice=ended');
  },
};

/** Each form has some of the fields; the others show what is stored. */
function typedOr({ form }: MemberRequest, name: string, stored = ''): string {
  return form.get(name) ?? stored;
}

/** @throws Refusal after too many wrong passwords */
async function changeSignIn(request: MemberRequest, change: SignInChange): Promise<void> {
  const { security } = request.panel;
  const outcome = await security.changeSignIn(request.signedIn.by, change, request.sessionToken());
  if (outcome.outcome !== 'slowed') return;
  request.ctx.set('Retry-After', String(outcome.seconds));
  throw new Refusal({ form: TEXTS.signIn.slowed(outcome.seconds) }, 429);
}

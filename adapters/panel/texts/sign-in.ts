import type { IssuerRefusal } from '../../web/issuer-sign-in.js';

/** The texts of the sign-in, and of the page that a sign-in link opens. */
export const SIGN_IN_TEXTS = {
  signIn: {
    title: 'Sign in',
    lead: 'Sign in with your account.',
    name: 'Name',
    password: 'Password',
    submit: 'Sign in',
    help: 'No account yet, or forgot your password? Ask the operator of this marketplace for a sign-in link.',
    signedOut: 'You are signed out.',
    ended: 'Your session has ended. Please sign in again.',
    refused: 'Name or password is wrong.',
    suspended: 'This account is suspended. Ask the operator of the marketplace.',
    toFinish: 'Sign in to continue. What you typed is kept, and nothing was done yet.',
    slowed: (seconds: number) =>
      `Too many failed attempts. Try again in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`,
  },
  /** The sign-in at an issuer. */
  organisation: {
    submit: (name: string) => `Sign in with ${name}`,
    or: 'Or sign in with a name and a password:',
    emergency: 'For emergencies, accounts that an operator chose have a password:',
    down: (name: string) => `You cannot sign in with ${name} now, since it does not answer. Try again in a moment.`,
    newTab: (name: string) =>
      `What you typed is kept. Sign in with ${name} in a new tab, come back here, and send it again.`,
    sendAgain: 'Send it again',
    signedOut: (name: string) => `If you signed in with ${name}, you are still signed in there.`,
    signOut: (name: string) => `Sign out of ${name}`,
    badHost: 'The address in the header Host is no address that a browser can be sent back to.',
    refusals: {
      unreachable: (name: string) => [
        `${upper(name)} does not answer`,
        'Nothing was done. Try again in a moment. If it happens again, tell the operator of this marketplace.',
      ],
      cancelled: () => ['You are not signed in', 'You did not go on with the sign-in. You can begin again.'],
      expired: () => [
        'This sign-in has expired',
        'It was begun in another browser or at another address, or more than ten minutes ago. Begin again.',
      ],
      'not-taken': (name: string) => [
        'The sign-in failed',
        `The answer of ${name} could not be used, so nothing was done. Begin again. If it fails again, tell the ` +
          'operator of this marketplace the request id.',
      ],
      'not-admitted': (name: string) => [
        'This account cannot sign in here',
        `You are signed in with ${name} with an account that this marketplace does not take. Use another account, or ` +
          'ask the operator of this marketplace.',
      ],
      'no-role': (name: string) => [
        'You have no role here',
        `${upper(name)} knows you, but has not given you a role in this marketplace. Ask the operator of this ` +
          `marketplace, or those who manage the accounts of ${name}.`,
      ],
      'too-many-groups': (name: string) => [
        'Your groups are not known',
        `${upper(name)} does not say in which groups you are, as there are too many. Ask the operator of this ` +
          'marketplace to use app roles in place of groups.',
      ],
      suspended: () => ['This account is suspended', 'Ask the operator of the marketplace.'],
    } satisfies Record<IssuerRefusal, (name: string) => readonly [title: string, advice: string]>,
  },
  welcome: {
    title: 'Welcome',
    again: 'Choose a new password',
    invited: 'You have been invited. Your account is',
    invitedThen: (role: string) => ` (role: ${role}). Choose a name and a password to sign in with.`,
    returning: 'Welcome back,',
    returningThen: '. Choose a name and a new password. Your other sessions will end.',
    nameHint: 'An e-mail address or another name that you will remember. Only you and the operator can see it.',
    passwordHint: (lowest: number, highest: number) =>
      `${lowest} to ${highest} characters of any kind. Several words make a good password.`,
    submit: 'Continue',
    nameTaken: 'This name is taken. Choose another.',
    tooCommon: 'This password is too easy to guess. Choose another.',
    done: 'You are signed in. Next time, sign in with the name and password that you have just chosen.',
    used: 'This link has expired or was already used',
    usedWhy:
      'A sign-in link works once, within 24 hours. This one was used, has expired or was replaced by a newer one, or ' +
      'the account is suspended.',
    usedAdvice:
      'If you chose a password with it, sign in. If you did not use it, tell the operator of this marketplace and ' +
      'ask for a new link.',
  },
};

function upper(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

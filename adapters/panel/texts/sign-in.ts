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

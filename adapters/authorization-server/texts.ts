/** The texts of the pages that the server shows itself. */
export const TEXTS = {
  device: {
    title: 'Connect a device',
    lead: 'Enter the code that the program or the device shows.',
    code: 'Code',
    go: 'Continue',
    confirmTitle: 'Is this the code?',
    app: 'App',
    registeredBy: 'Registered by',
    describedAt: (host: string) => `Not registered here: it describes itself at ${host}.`,
    confirmLead: 'If you started this app, it shows this code:',
    confirmHint: 'If you did not start it, or its code differs, cancel: another person may have sent you here.',
    confirm: 'Yes, continue',
    cancel: 'Cancel',
    doneTitle: 'Connected',
    doneLead: 'You can close this page and go on in the program.',
    problems: {
      NotFoundError: 'There is no such code. Check it, and enter it again.',
      ExpiredError: 'This code has expired. Start again in the program.',
      AlreadyUsedError: 'This code was already used. Start again in the program.',
      AbortedError: 'You refused. The program gets nothing.',
      NoCodeError: 'Code is required.',
    } as Readonly<Record<string, string>>,
    otherProblem: 'This did not work. Enter the code again, or start again in the program.',
  },
  otherHost: {
    title: 'The marketplace has another address',
    advice: (reason: string) =>
      `${reason}. Apps connect at the address of the server alone: use it. If this is the right one, the operator of ` +
      'the marketplace sets PUBLIC_URL to it.',
  },
  noAddress:
    'The authorization server works over https, or on this machine alone: the operator of the marketplace sets ' +
    'PUBLIC_URL to its https address.',
  errorTitle: 'The app cannot be connected',
  errorLead:
    'The app sent a request that cannot be answered. Start again in the app; if it happens again, tell its maker:',
  unknownAgent: (host: string) =>
    `The app describes itself at ${host}, and the marketplace cannot use that description: a document of at most ` +
    '5 KB in JSON, which a public server gives over https, on port 443, with status 200 and within 2.5 seconds. Try ' +
    'again in a minute; if it happens again, tell its maker:',
  refusedTitle: 'Not connected',
  refusedLead: 'You refused. The app gets nothing, and you can close this page. Some apps wait until they are told.',
  goBack: (host: string) => `Tell the app at ${host}`,
};

/** The texts of the pages about apps. */
export const APP_TEXTS = {
  consent: {
    title: 'Allow this app?',
    lead: 'It asks to act for you in this marketplace. It never gets your password.',
    app: 'App',
    registeredBy: 'Registered by',
    notRegistered: (host: string) => `Not registered here: it describes itself at ${host}.`,
    account: 'Your account',
    may: 'It may',
    refused: (hints: string) => `Your role does not allow all that the app asks for. It does not get: ${hints}`,
    nothingAllowed: 'Your role allows nothing of what the app asks for.',
    audience: 'Through',
    audiences: { api: 'the API', agents: 'the tools for agents' },
    next: 'Then you go to',
    device: 'nowhere else: go back to the device that shows the code',
    ownScheme: (scheme: string) => `an app on this device (${scheme})`,
    loopbackTitle: 'Did you just start this app yourself?',
    loopback: (host: string) =>
      `The answer goes to your own computer (${host}). Any program on it could be asking, under any name. If you did ` +
      'not just start this app, cancel.',
    end: (days: number) => `This holds for ${days} days. You can end it at any time at`,
    allow: 'Allow',
    cancel: 'Cancel',
    goneTitle: 'This request has expired',
    gone: 'This request has expired or was opened in another browser. Start again in the app.',
  },
  connected: {
    title: 'Connected apps',
  },
};

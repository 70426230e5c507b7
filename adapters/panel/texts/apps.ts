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
    next: 'Afterwards',
    device: 'Return to your device',
    site: (host: string) => `You go to ${host}`,
    ownScheme: (scheme: string) => `You go to an app on this device (${scheme})`,
    loopbackTitle: 'Did you just start this app yourself?',
    loopback: (host: string) =>
      `The answer goes to your own computer (${host}). Any program on it could be asking, under any name. If you did ` +
      'not just start this app, cancel.',
    end: (days: number) => `Valid for ${days} days. End it any time under`,
    allow: 'Allow',
    cancel: 'Cancel',
    goneTitle: 'This request has expired',
    gone: 'This request has expired or was opened in another browser. Start again in the app.',
  },
  connected: {
    title: 'Connected apps',
    lead: 'Apps that act for you with your consent. Disconnect those that you no longer use.',
    app: 'App',
    may: 'It may',
    audience: 'Through',
    since: 'Since',
    until: 'Until',
    inactive: 'an app that is not active at present',
    registeredBy: (name: string) => `Registered by ${name}`,
    at: (host: string) => `Not registered here: ${host}`,
    disconnect: 'Disconnect',
    disconnected: 'The app is disconnected.',
    emptyTitle: 'No connected apps',
    emptyText: 'An app that asks to act for you is listed here when you have allowed it.',
    endTitle: 'No older connections',
  },
  disconnect: {
    title: 'Disconnect this app?',
    lead: 'It can no longer act for you. What it has published stays. It may ask you again.',
  },
  apps: {
    title: 'Your apps',
    lead:
      'Programs that you make for others, which ask people for their consent, and machines that act for you with ' +
      'access tokens (OAuth 2.0).',
    newTitle: 'New app',
    name: 'Name',
    nameHint: 'People see it when the app asks for their consent.',
    kind: 'Kind',
    kindRequired: 'Choose a kind.',
    kinds: {
      web: { name: 'Web server', hint: 'Runs on a server of yours and keeps a secret there. It acts for people.' },
      native: {
        name: 'Native program',
        hint: 'Runs on the devices of people: a desktop or phone app, a command line. It has no secret.',
      },
      machine: { name: 'Machine', hint: 'Acts for you, with a secret. It asks nobody and has no redirect addresses.' },
    },
    redirectUris: 'Redirect addresses',
    redirectUrisHint:
      'Where people return to after their answer, one address per line, such as https://app.example/callback.',
    redirectUrisOfMachine: 'None for a machine.',
    redirectUrisRequired: 'Redirect addresses: give at least one. Only a machine has none.',
    scopes: 'Scopes',
    register: 'Register app',
    app: 'App',
    clientId: 'Client id',
    created: 'Created',
    change: 'Change',
    revoke: 'Revoke',
    changed: 'The app is changed.',
    revoked: 'The app is revoked, and all its connections have ended.',
    list: 'Registered apps',
    emptyTitle: 'No apps yet',
    emptyText: 'Register one above. To call the API with a program of your own, an API key is enough.',
    endTitle: 'No older apps',
    alreadySent:
      'This form was already sent, and its secret was shown then. If you did not store it, make a new secret for the ' +
      'app.',
  },
  newApp: {
    title: 'Your new app',
    renewedTitle: 'Your new secret',
    lead: 'Configure the app with these values.',
    issuer: 'Issuer',
    metadata: 'Metadata',
    resource: 'Resource',
    secret: 'Secret',
    secretHint: 'Copy it now and store it in a safe place: it is shown only once and cannot be retrieved later.',
    tryIt: 'Try it',
    tryHint: 'This gets an access token for the API.',
    done: 'Done',
  },
  app: {
    back: 'All your apps',
    lead:
      'A scope that you remove also ends for tokens that are out, within seconds. Those who have connected the app ' +
      'see its old name.',
    save: 'Save changes',
    secretHint: 'If it became known, or was lost, make a new one.',
    newSecret: 'New secret',
    revokeHint: 'All its connections end.',
  },
  renewSecret: {
    title: 'Make a new secret?',
    lead: 'The old secret stops working within seconds: the app gets no more tokens until it has the new one.',
    submit: 'Make new secret',
  },
  revokeApp: {
    title: 'Revoke this app?',
    lead:
      'All its connections end, for everyone who uses it, and it gets no more tokens. This cannot be undone: a new ' +
      'app has another client id.',
  },
};

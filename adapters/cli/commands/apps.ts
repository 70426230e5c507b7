import type { Command } from '@commander-js/extra-typings';
import { OPERATOR, parseDeveloperId } from '../../../domain/access.js';
import type { App } from '../../../domain/app.js';
import { sayUnknown } from '../names.js';
import { say, withSession, type Host, type Session } from '../session.js';
import { cursorPages, printList, shownBy } from '../terminal/list.js';

const MEANING =
  'The new key signs in 15 seconds, when every process knows it. The old one is accepted until its last token ends, ' +
  'in 61 minutes; after a leak, use --now.';
const MEANING_NOW =
  'The old keys are removed: in 5 seconds no process accepts their access tokens. Apps and machines get new ones.';

export function addApps(program: Command, host: Host): void {
  const apps = program.command('apps').description('apps of the authorization server');
  apps
    .command('list')
    .description('lists the apps that developers have registered, newest first; never shows a secret')
    .option('--developer <NAME>', 'only the apps of this developer')
    .option('--json', 'prints a JSON array')
    .action(async ({ developer, json }) => {
      if (developer !== undefined) parseDeveloperId(developer);
      await withSession(host, async (session) => {
        const known = appsOf(session);
        const pages = cursorPages((request) => known.list(OPERATOR, { ...request, developer }));
        const count = await printList(host.stdout, LIST, pages, json);
        if (count === 0) await sayUnknown(session, developer, host.stderr);
      });
    });
  apps
    .command('revoke <ID>')
    .description('revokes an app permanently: all its connections and tokens end')
    .action(async (id) => {
      await withSession(host, (session) => appsOf(session).revoke(OPERATOR, id));
      say(host.stdout, `app ${id} is revoked`);
    });
  apps
    .command('rotate-keys')
    .description('makes a new key that signs access tokens, and prints its id')
    .option('--now', 'removes the old keys at once, as after a leak: all access tokens end')
    .addHelpText('after', `\n${MEANING}`)
    .action(async ({ now: atOnce = false }) => {
      const id = await withSession(host, (session) => {
        appsOf(session);
        return session.rotateSigningKeys({ atOnce });
      });
      say(host.stdout, id);
      say(host.stderr, atOnce ? MEANING_NOW : MEANING);
    });
}

/** @throws Error for people, on a storage without records of an authorization server */
function appsOf({ apps }: Session): NonNullable<Session['apps']> {
  if (apps === undefined) throw new Error('This storage keeps no records of an authorization server: it has no apps.');
  return apps;
}

const LIST = shownBy<App>([
  { name: 'id', heading: 'id', value: ({ id }) => id },
  { name: 'developer', heading: 'developer', value: ({ developerId }) => developerId, cutTo: 12 },
  { name: 'name', heading: 'name', value: ({ name }) => name, cutTo: 12 },
  { name: 'kind', heading: 'kind', value: ({ kind }) => kind },
  { name: 'redirect_uris', heading: 'redirect addresses', value: ({ redirectUris }) => redirectUris, leaveOut: 3 },
  { name: 'scopes', heading: 'scopes', value: ({ scopes }) => scopes, leaveOut: 1 },
  { name: 'created_at', heading: 'created', value: ({ createdAt }) => createdAt, leaveOut: 2 },
]);

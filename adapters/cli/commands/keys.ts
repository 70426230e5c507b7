import type { Command } from '@commander-js/extra-typings';
import type { IssuedKey } from '../../../application/developer-keys.js';
import { parseKeyRequest } from '../../../application/key-request.js';
import { OPERATOR, parseDeveloperId } from '../../../domain/access.js';
import { isActive, type ApiKey } from '../../../domain/api-key.js';
import { KEY_SCOPES } from '../../../domain/scope.js';
import { confirmName, sayUnknown } from '../names.js';
import { say, withSession, writeAndConfirm, type Host, type Session } from '../session.js';
import { cursorPages, printList, shownBy } from '../terminal/list.js';
import { parseDuration } from '../values.js';

export function addKeys(program: Command, host: Host): void {
  const keys = program.command('keys').description('API keys');
  addIssue(keys, host);
  keys
    .command('list')
    .description('lists keys, newest first, also expired and revoked ones; never shows a key itself')
    .option('--developer <NAME>', 'only the keys of this developer')
    .option('--json', 'prints a JSON array')
    .action(async ({ developer, json }) => {
      if (developer !== undefined) parseDeveloperId(developer);
      await withSession(host, async (session) => {
        const pages = cursorPages((request) => session.keys.list(OPERATOR, { ...request, developer }));
        const count = await printList(host.stdout, LIST, pages, json);
        if (count === 0) await sayUnknown(session, developer, host.stderr);
      });
    });
  keys
    .command('rotate <ID>')
    .description('replaces a key with a new one and prints it once')
    .option('--overlap <DURATION>', 'how long the old key still works, such as 0s or 7d; 24h by default', parseDuration)
    .addHelpText('after', '\nThe new key has the same developer, name, scopes and lifetime.')
    .action(async (id, { overlap }) =>
      withSession(host, async (session) => show(await session.keys.rotate(OPERATOR, id, overlap), session, host)),
    );
  keys
    .command('revoke <ID>')
    .description('revokes a key permanently; safe to repeat')
    .action(async (id) => {
      await withSession(host, (session) => session.keys.revoke(OPERATOR, id));
      say(host.stdout, `key ${id} is revoked`);
    });
}

function addIssue(keys: Command, host: Host): void {
  keys
    .command('issue')
    .description('creates an API key for a developer and prints it once')
    .requiredOption('--developer <NAME>', 'the owner of the key: lower-case letters, digits and single hyphens')
    .option('--name <TEXT>', 'the name of the key in lists; "API key" by default')
    .option(
      '--scopes <SCOPE,SCOPE>',
      `what the key allows, of ${KEY_SCOPES.join(',')}; what the owner may do by default`,
      (text) => text.split(',').map((scope) => scope.trim()),
    )
    .option(
      '--expires <DURATION>',
      'its lifetime: a number and s, m, h or d, such as 90d; by default it never expires',
      parseDuration,
    )
    .option('--new', 'confirms a new developer whose name is like that of another')
    .addHelpText('after', '\nStandard output has the key alone; the last line of standard error has its id.')
    .action(async ({ expires, new: isNew, ...rest }) => {
      const request = { ...rest, lifetime: expires };
      parseKeyRequest(request, new Date());
      const work = async (session: Session) => {
        const news = await confirmName(session, rest.developer, isNew);
        const issued = await session.keys.issue(OPERATOR, request);
        if (news !== undefined) say(host.stderr, news);
        await show(issued, session, host);
      };
      await withSession(host, work, 'create');
    });
}

/** Prints the key alone on stdout, for programs, and the rest on stderr. @throws Error if it could not be shown. */
async function show({ text, key }: IssuedKey, { accounts }: Session, { stdout, stderr }: Host): Promise<void> {
  const { id, name, developerId, expiresAt } = key;
  if (!(await writeAndConfirm(stdout, `${text}\n`))) {
    const lost = `The key "${name}" of ${developerId} was created but could not be shown.`;
    throw new Error(`${lost} Please revoke it; its id is ${id}`);
  }
  if ((await accounts.find(OPERATOR, developerId))?.status === 'suspended')
    say(stderr, `${developerId} is suspended: this key works only after "developers restore ${developerId}"`);
  const end = expiresAt === undefined ? 'never expires' : `expires ${expiresAt.toISOString()}`;
  say(stderr, `Key "${name}" for ${developerId}, id ${id}; ${end}. Store it now: it is not shown again.`);
  say(stderr, `id ${id}`);
}

type State = 'active' | 'expired' | 'revoked';

function stateOf(key: ApiKey): State {
  if (key.revokedAt !== undefined) return 'revoked';
  return isActive(key, new Date()) ? 'active' : 'expired';
}

const LIST = shownBy<ApiKey>([
  { name: 'id', heading: 'id', value: ({ id }) => id },
  { name: 'prefix', heading: 'prefix', value: ({ prefix }) => prefix, leaveOut: 4 },
  { name: 'developer', heading: 'developer', value: ({ developerId }) => developerId, cutTo: 12 },
  { name: 'name', heading: 'name', value: ({ name }) => name, cutTo: 12 },
  { name: 'scopes', heading: 'scopes', value: ({ scopes }) => scopes, leaveOut: 1 },
  { name: 'created_at', heading: 'created', value: ({ createdAt }) => createdAt, leaveOut: 2 },
  { name: 'expires_at', heading: 'expires', value: ({ expiresAt }) => expiresAt, leaveOut: 5 },
  { name: 'last_used_at', heading: 'last used', value: ({ lastUsedAt }) => lastUsedAt, leaveOut: 3 },
  { name: 'revoked_at', value: ({ revokedAt }) => revokedAt },
  { name: 'state', heading: 'state', value: stateOf },
]);

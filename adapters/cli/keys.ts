import { readKeyRequest, type IssuedKey } from '../../application/developer-keys.js';
import { SCOPES } from '../../domain/access.js';
import { isAlive, type ApiKey } from '../../domain/api-key.js';
import { command } from './command.js';
import { readDuration } from './duration.js';
import { DONE, FAILED, isTaken, say, withSession, type Session, type Terminal } from './host.js';
import { aligned } from './table.js';

const issue = command(
  {
    name: 'keys issue',
    summary: 'makes an API key for a developer and prints it, this once',
    arguments: [],
    options: {
      developer: { value: 'NAME', required: true, summary: 'whose key it is: lower-case letters, digits, single hyphens' },
      name: { value: 'TEXT', summary: 'by what its owner knows it; "API key" by default' },
      scopes: { value: 'SCOPE,SCOPE', summary: `what it allows; ${SCOPES.join(',')} by default` },
      expires: { value: 'DURATION', summary: 'how long it works: a number and s, m, h or d, such as 90d; for ever by default' },
    },
  },
  async ({ options: { developer, name, scopes, expires } }, host) => {
    const lifetime = expires === undefined ? undefined : readDuration('--expires', expires);
    const request = { developer, name, scopes: scopes?.split(',').map((scope) => scope.trim()), lifetime };
    readKeyRequest(request, new Date());
    return withSession(host, async (session) => tell(await session.keys.issue(request), session, host), 'made');
  },
);

const list = command(
  {
    name: 'keys list',
    summary: 'lists the keys, ended ones too; never their text',
    arguments: [],
    options: {
      developer: { value: 'NAME', summary: 'only the keys of this developer' },
      json: { summary: 'as a JSON array' },
    },
  },
  async ({ options: { developer, json } }, host) => {
    const keys = await withSession(host, (session) => session.keys.list(developer));
    for (const line of json ? jsonOf(keys) : tableOf(keys)) say(host.stdout, line);
    return DONE;
  },
);

const rotate = command(
  {
    name: 'keys rotate',
    summary: 'makes a successor with the same owner, name, scopes and lifetime, and prints it, this once',
    arguments: ['ID'],
    options: {
      overlap: { value: 'DURATION', summary: 'how long the old key works beside it, such as 0s or 7d; 24h by default' },
    },
  },
  async ({ arguments: [id], options: { overlap } }, host) => {
    const wanted = overlap === undefined ? undefined : readDuration('--overlap', overlap);
    return withSession(host, async (session) => tell(await session.keys.rotate(id, wanted), session, host));
  },
);

const revoke = command(
  { name: 'keys revoke', summary: 'ends a key, for good; again is no error', arguments: ['ID'], options: {} },
  async ({ arguments: [id] }, host) => {
    await withSession(host, ({ keys }) => keys.revoke(id));
    say(host.stdout, `key ${id} is revoked`);
    return DONE;
  },
);

export const keyCommands = [issue, list, rotate, revoke];

/** The key alone for programs; the rest for people, and the id last. A key that nobody could read is no success. */
async function tell({ text, key }: IssuedKey, { accounts }: Session, { stdout, stderr }: Terminal): Promise<number> {
  if (!(await isTaken(stdout, `${text}\n`))) {
    say(stderr, `The key of ${key.developerId} (${key.name}) was made but could not be shown; revoke it: its id is ${key.id}`);
    return FAILED;
  }
  if ((await accounts.find(key.developerId))?.status === 'suspended')
    say(stderr, `${key.developerId} is suspended: this key opens nothing until they are restored`);
  const end = key.expiresAt === undefined ? 'never expires' : `expires ${key.expiresAt.toISOString()}`;
  say(stderr, `This key of ${key.developerId} (${key.name}) ${end} and is not shown again; its id is ${key.id}`);
  return DONE;
}

type State = 'active' | 'expired' | 'revoked';

function stateOf(key: ApiKey): State {
  if (key.revokedAt !== undefined) return 'revoked';
  return isAlive(key, new Date()) ? 'active' : 'expired';
}

const HEADINGS = ['id', 'prefix', 'developer', 'name', 'scopes', 'created', 'expires', 'last used', 'state'];

function tableOf(keys: readonly ApiKey[]): readonly string[] {
  const rows = keys.map((key) => [
    key.id,
    key.prefix,
    key.developerId,
    key.name,
    key.scopes.join(','),
    ...[key.createdAt, key.expiresAt, key.lastUsedAt].map((time) => (time ? `${time.toISOString().slice(0, 16)}Z` : '-')),
    stateOf(key),
  ]);
  return aligned([HEADINGS, ...rows]);
}

function jsonOf(keys: readonly ApiKey[]): readonly string[] {
  const members = keys.map((key) => ({
    id: key.id,
    prefix: key.prefix,
    developer: key.developerId,
    name: key.name,
    scopes: key.scopes,
    created_at: key.createdAt,
    expires_at: key.expiresAt ?? null,
    last_used_at: key.lastUsedAt ?? null,
    revoked_at: key.revokedAt ?? null,
    state: stateOf(key),
  }));
  return JSON.stringify(members, null, 2).split('\n');
}

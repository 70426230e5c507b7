import type { IssuedKey } from '../../../application/developer-keys.js';
import { parseKeyRequest } from '../../../application/key-request.js';
import { OPERATOR, parseAnyDeveloperId } from '../../../domain/access.js';
import { SCOPES } from '../../../domain/scope.js';
import { isActive, type ApiKey } from '../../../domain/api-key.js';
import { command } from '../command.js';
import { cursorPages } from '../cursor-pages.js';
import { parseDuration } from '../option-values.js';
import { DONE, FAILED, say, withSession, writeAndConfirm, type Session, type Terminal } from '../session.js';
import { jsonArray } from '../terminal/json-array.js';
import { alignedParts, minuteOf } from '../terminal/table.js';

const issue = command(
  {
    name: 'keys issue',
    summary: 'creates an API key for a developer and prints it once',
    details: 'Standard output has the key alone; standard error has its id.',
    arguments: [],
    options: {
      developer: {
        value: 'NAME',
        required: true,
        summary: 'the owner of the key: lower-case letters, digits and single hyphens',
      },
      name: { value: 'TEXT', summary: 'the name of the key in lists; "API key" by default' },
      scopes: {
        value: 'SCOPE,SCOPE',
        summary: `what the key allows, of ${SCOPES.join(',')}; what the owner may do by default`,
      },
      expires: {
        value: 'DURATION',
        summary: 'its lifetime: a number and s, m, h or d, such as 90d; by default it never expires',
      },
    },
  },
  async ({ options: { developer, name, scopes, expires } }, host) => {
    const lifetime = expires === undefined ? undefined : parseDuration('--expires', expires);
    const request = { developer, name, scopes: scopes?.split(',').map((scope) => scope.trim()), lifetime };
    parseKeyRequest(request, new Date());
    const work = async (session: Session) => show(await session.keys.issue(OPERATOR, request), session, host);
    return withSession(host, work, 'create');
  },
);

const list = command(
  {
    name: 'keys list',
    summary: 'lists keys, the latest first, also expired and revoked ones; never shows a key itself',
    arguments: [],
    options: {
      developer: { value: 'NAME', summary: 'only the keys of this developer' },
      json: { summary: 'prints a JSON array' },
    },
  },
  async ({ options: { developer, json } }, host) => {
    if (developer !== undefined) parseAnyDeveloperId(developer);
    return withSession(host, async ({ keys }) => {
      const pages = cursorPages((request) => keys.list(OPERATOR, { ...request, developer }));
      const lines = json ? jsonArray(pages, membersOf) : alignedParts(HEADINGS, pages, cellsOf);
      for await (const line of lines) say(host.stdout, line);
      return DONE;
    });
  },
);

const rotate = command(
  {
    name: 'keys rotate',
    summary: 'replaces a key by a new one and prints it once',
    details: 'The new key has the same developer, name, scopes and lifetime. The old key works until the overlap ends.',
    arguments: ['ID'],
    options: {
      overlap: { value: 'DURATION', summary: 'how long the old key still works, such as 0s or 7d; 24h by default' },
    },
  },
  async ({ arguments: [id], options: { overlap } }, host) => {
    const overlapMs = overlap === undefined ? undefined : parseDuration('--overlap', overlap);
    const work = async (session: Session) => show(await session.keys.rotate(OPERATOR, id, overlapMs), session, host);
    return withSession(host, work);
  },
);

const revoke = command(
  { name: 'keys revoke', summary: 'revokes a key permanently; safe to repeat', arguments: ['ID'], options: {} },
  async ({ arguments: [id] }, host) => {
    await withSession(host, ({ keys }) => keys.revoke(OPERATOR, id));
    say(host.stdout, `key ${id} is revoked`);
    return DONE;
  },
);

export const keyCommands = [issue, list, rotate, revoke];

/** Prints the key alone on stdout, for programs, and the rest on stderr. Fails if the key could not be shown. */
async function show({ text, key }: IssuedKey, { accounts }: Session, { stdout, stderr }: Terminal): Promise<number> {
  if (!(await writeAndConfirm(stdout, `${text}\n`))) {
    const lost = `The key "${key.name}" of ${key.developerId} was created but could not be shown.`;
    say(stderr, `${lost} Please revoke it; its id is ${key.id}`);
    return FAILED;
  }
  if ((await accounts.find(OPERATOR, key.developerId))?.status === 'suspended')
    say(stderr, `${key.developerId} is suspended: this key works only after "developers restore ${key.developerId}"`);
  const end = key.expiresAt === undefined ? 'never expires' : `expires ${key.expiresAt.toISOString()}`;
  say(stderr, `This key "${key.name}" of ${key.developerId} ${end}. It is not shown again. Its id is ${key.id}`);
  return DONE;
}

type State = 'active' | 'expired' | 'revoked';

function stateOf(key: ApiKey): State {
  if (key.revokedAt !== undefined) return 'revoked';
  return isActive(key, new Date()) ? 'active' : 'expired';
}

const HEADINGS = ['id', 'prefix', 'developer', 'name', 'scopes', 'created', 'expires', 'last used', 'state'];

function cellsOf(key: ApiKey): readonly string[] {
  return [
    key.id,
    key.prefix,
    key.developerId,
    key.name,
    key.scopes.join(','),
    ...[key.createdAt, key.expiresAt, key.lastUsedAt].map(minuteOf),
    stateOf(key),
  ];
}

function membersOf(key: ApiKey) {
  return {
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
  };
}

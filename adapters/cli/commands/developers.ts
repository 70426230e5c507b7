import type { Account } from '../../../application/account.js';
import { OPERATOR, parseAnyDeveloperId, parseDeveloperId } from '../../../domain/access.js';
import { parseRole, ROLES } from '../../../domain/role.js';
import { command, UsageError } from '../command.js';
import { cursorPages } from '../cursor-pages.js';
import { DONE, FAILED, say, withSession, writeAndConfirm, type Session } from '../session.js';
import { jsonArray } from '../terminal/json-array.js';
import { alignedParts, minuteOf } from '../terminal/table.js';

const invite = command(
  {
    name: 'developers invite',
    summary: 'prints a one-time sign-in link to the panel, valid for 24 hours',
    details:
      'Inviting a developer again resets a forgotten password; an earlier link stops working. ' +
      'The role changes only if it is given.',
    arguments: ['NAME'],
    options: { role: { value: 'ROLE', summary: `${ROLES.join(', ')}; a new account is a developer's by default` } },
  },
  async ({ arguments: [name], options: { role } }, host) => {
    parseDeveloperId(name);
    if (role !== undefined) parseRole(role);
    const work = async ({ accounts, welcomeUrl, whyLinksAreDead }: Session) => {
      const invited = await accounts.invite(OPERATOR, name, { role });
      return { ...invited, link: welcomeUrl(invited.token), whyDead: whyLinksAreDead };
    };
    const { link, until, suspendedAt, namesake, whyDead } = await withSession(host, work, 'create');
    if (!(await writeAndConfirm(host.stdout, `${link}\n`))) {
      say(host.stderr, `The link for ${name} could not be shown. Please run "developers invite ${name}" again.`);
      return FAILED;
    }
    say(host.stderr, `This link for ${name} works once, until ${until.toISOString()}. It is not shown again.`);
    if (suspendedAt !== undefined)
      say(host.stderr, `${name} is suspended: this link works only after "developers restore ${name}"`);
    if (namesake !== undefined)
      say(host.stderr, `${namesake.id} is already shown as "${namesake.publicName}", which looks like ${name}`);
    if (whyDead !== undefined) say(host.stderr, whyDead);
    return DONE;
  },
);

const role = command(
  {
    name: 'developers role',
    summary: 'changes what a developer may do; safe to repeat',
    details:
      `ROLE is one of ${ROLES.join(', ')}. A buyer reads, a developer also sells, ` +
      'an operator also runs the marketplace.',
    arguments: ['NAME', 'ROLE'],
    options: {},
  },
  async ({ arguments: [name, given] }, host) => {
    parseAnyDeveloperId(name);
    parseRole(given);
    await withSession(host, ({ accounts }) => accounts.setRole(OPERATOR, name, given));
    say(host.stdout, `${name} has the role ${given}`);
    return DONE;
  },
);

const list = command(
  {
    name: 'developers list',
    summary: 'lists developers, also those who have keys alone; the one who was added last comes first',
    arguments: [],
    options: { json: { summary: 'prints a JSON array' } },
  },
  async ({ options: { json } }, host) => {
    return withSession(host, async ({ accounts }) => {
      const pages = cursorPages((request) => accounts.list(OPERATOR, request));
      const lines = json ? jsonArray(pages, membersOf) : alignedParts(HEADINGS, pages, cellsOf);
      for await (const line of lines) say(host.stdout, line);
      return DONE;
    });
  },
);

const rename = command(
  {
    name: 'developers rename',
    summary: 'changes the name with which a developer signs in; safe to repeat',
    details: 'The id and the public name stay.',
    arguments: ['NAME', 'NEW'],
    options: {},
  },
  async ({ arguments: [name, signInName] }, host) => {
    await withSession(host, ({ accounts }) => accounts.rename(OPERATOR, name, signInName));
    say(host.stdout, `${name} signs in as "${signInName.trim()}"`);
    return DONE;
  },
);

const suspend = command(
  {
    name: 'developers suspend',
    summary: "ends a developer's sessions and stops their keys; safe to repeat",
    details: 'What the developer sells stays on sale unless --withdraw is given. NAME may be oauth:SUBJECT.',
    arguments: ['NAME'],
    options: {
      withdraw: { summary: 'also withdraws everything that the developer has on sale' },
      reason: { value: 'TEXT', summary: 'with --withdraw: the reason, which the developer can read' },
    },
  },
  async ({ arguments: [name], options: { withdraw, reason } }, host) => {
    if (reason !== undefined && !withdraw) throw new UsageError('--reason needs --withdraw');
    const suspend = ({ accounts }: Session) => accounts.suspend(OPERATOR, name, { withdraw, reason });
    const { withdrawn } = await withSession(host, suspend);
    const also = withdrawn === undefined ? '' : `; ${withdrawn} automations withdrawn`;
    say(host.stdout, `developer ${name} is suspended${also}`);
    return DONE;
  },
);

const restore = command(
  {
    name: 'developers restore',
    summary: "lifts a suspension; the developer's keys work again; safe to repeat",
    arguments: ['NAME'],
    options: {},
  },
  async ({ arguments: [name] }, host) => {
    await withSession(host, ({ accounts }) => accounts.restore(OPERATOR, name));
    say(host.stdout, `developer ${name} is restored`);
    return DONE;
  },
);

export const developerCommands = [invite, list, role, rename, suspend, restore];

const HEADINGS = ['name', 'role', 'signs in as', 'added', 'link until', 'active since', 'suspended', 'state'];

function cellsOf(account: Account): readonly string[] {
  return [
    account.id,
    account.role,
    account.signInName ?? '-',
    ...[account.addedAt, account.invitedUntil, account.activeSince, account.suspendedAt].map(minuteOf),
    account.status,
  ];
}

function membersOf(account: Account) {
  return {
    name: account.id,
    role: account.role,
    sign_in_name: account.signInName ?? null,
    added_at: account.addedAt,
    invited_until: account.invitedUntil ?? null,
    active_since: account.activeSince ?? null,
    suspended_at: account.suspendedAt ?? null,
    state: account.status,
  };
}

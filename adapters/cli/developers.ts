import type { Account, Welcome } from '../../application/developer-accounts.js';
import { parseDeveloperId } from '../../domain/access.js';
import { command } from './command.js';
import { DONE, FAILED, isTaken, say, withSession } from './host.js';
import { aligned } from './table.js';

const invite = command(
  {
    name: 'developers invite',
    summary: 'prints a sign-in link to the panel, good once and for 24 hours; again, it is how a forgotten password is reset',
    arguments: ['NAME'],
    options: {},
  },
  async ({ arguments: [name] }, host) => {
    parseDeveloperId(name);
    const { welcome, link, whyDead } = await withSession(host, async ({ accounts, welcomeUrl, whyLinksAreDead }) => {
      const invited: Welcome = await accounts.invite(name);
      return { welcome: invited, link: welcomeUrl(invited.token), whyDead: whyLinksAreDead };
    }, 'made');
    if (!(await isTaken(host.stdout, `${link}\n`))) {
      say(host.stderr, `The link for ${name} could not be shown; invite ${name} again, which makes another and ends this one`);
      return FAILED;
    }
    say(host.stderr, `This link for ${name} is good once, until ${welcome.until.toISOString()}, and is not shown again`);
    if (welcome.suspendedAt !== undefined) say(host.stderr, `${name} is suspended: this link opens nothing until they are restored`);
    if (whyDead !== undefined) say(host.stderr, whyDead);
    return DONE;
  },
);

const list = command(
  {
    name: 'developers list',
    summary: 'lists the developers who have an account, in the order in which they were first invited',
    arguments: [],
    options: { json: { summary: 'as a JSON array' } },
  },
  async ({ options: { json } }, host) => {
    const accounts = await withSession(host, (session) => session.accounts.list());
    for (const line of json ? jsonOf(accounts) : tableOf(accounts)) say(host.stdout, line);
    return DONE;
  },
);

const suspend = command(
  {
    name: 'developers suspend',
    summary: 'ends a developer\'s sessions and has their keys open nothing; what is on sale stays; again is no error',
    arguments: ['NAME'],
    options: {},
  },
  async ({ arguments: [name] }, host) => {
    await withSession(host, ({ accounts }) => accounts.suspend(name));
    say(host.stdout, `developer ${name} is suspended`);
    return DONE;
  },
);

const restore = command(
  {
    name: 'developers restore',
    summary: 'has a suspended developer\'s keys open again what they did; again is no error',
    arguments: ['NAME'],
    options: {},
  },
  async ({ arguments: [name] }, host) => {
    await withSession(host, ({ accounts }) => accounts.restore(name));
    say(host.stdout, `developer ${name} is restored`);
    return DONE;
  },
);

export const developerCommands = [invite, list, suspend, restore];

const HEADINGS = ['name', 'signs in as', 'invited', 'link until', 'active since', 'suspended', 'state'];

function tableOf(accounts: readonly Account[]): readonly string[] {
  const rows = accounts.map((account) => [
    account.id,
    account.signInName ?? '-',
    ...[account.invitedAt, account.invitedUntil, account.activeSince, account.suspendedAt].map((time) =>
      time ? `${time.toISOString().slice(0, 16)}Z` : '-',
    ),
    account.status,
  ]);
  return aligned([HEADINGS, ...rows]);
}

function jsonOf(accounts: readonly Account[]): readonly string[] {
  const members = accounts.map((account) => ({
    name: account.id,
    sign_in_name: account.signInName ?? null,
    invited_at: account.invitedAt,
    invited_until: account.invitedUntil ?? null,
    active_since: account.activeSince ?? null,
    suspended_at: account.suspendedAt ?? null,
    state: account.status,
  }));
  return JSON.stringify(members, null, 2).split('\n');
}

import type { Account } from '../../../application/developer-accounts.js';
import { parseDeveloperId } from '../../../domain/access.js';
import { command } from '../command.js';
import { DONE, FAILED, say, withSession, writeAndConfirm, type Session } from '../session.js';
import { aligned, minuteOf } from '../terminal/table.js';

const invite = command(
  {
    name: 'developers invite',
    summary: 'prints a one-time sign-in link to the panel, valid for 24 hours',
    details: 'Inviting a developer again resets a forgotten password; an earlier link stops working.',
    arguments: ['NAME'],
    options: {},
  },
  async ({ arguments: [name] }, host) => {
    parseDeveloperId(name);
    const work = async ({ accounts, welcomeUrl, whyLinksAreDead }: Session) => {
      const invited = await accounts.invite(name);
      return { ...invited, link: welcomeUrl(invited.token), whyDead: whyLinksAreDead };
    };
    const { link, until, suspendedAt, whyDead } = await withSession(host, work, 'create');
    if (!(await writeAndConfirm(host.stdout, `${link}\n`))) {
      say(host.stderr, `The link for ${name} could not be shown. Please run "developers invite ${name}" again.`);
      return FAILED;
    }
    say(host.stderr, `This link for ${name} works once, until ${until.toISOString()}. It is not shown again.`);
    if (suspendedAt !== undefined)
      say(host.stderr, `${name} is suspended: this link works only after "developers restore ${name}"`);
    if (whyDead !== undefined) say(host.stderr, whyDead);
    return DONE;
  },
);

const list = command(
  {
    name: 'developers list',
    summary: 'lists developers with an account, in the order of their first invitation',
    arguments: [],
    options: { json: { summary: 'prints a JSON array' } },
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
    summary: "ends a developer's sessions and stops their keys; safe to repeat",
    details: 'What the developer sells stays on sale.',
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
    summary: "lifts a suspension; the developer's keys work again; safe to repeat",
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
    ...[account.invitedAt, account.invitedUntil, account.activeSince, account.suspendedAt].map(minuteOf),
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

import type { Command } from '@commander-js/extra-typings';
import type { Account } from '../../../application/account.js';
import type { InviteOptions } from '../../../application/accounts.js';
import { OPERATOR, parseDeveloperId } from '../../../domain/access.js';
import { parseRole, ROLES } from '../../../domain/role.js';
import { refuseMisspelt } from '../names.js';
import { UsageError } from '../program.js';
import { say, withSession, writeAndConfirm, type Host } from '../session.js';
import { suspendLeavers } from './leavers.js';
import { cursorPages, printList, shownBy } from '../terminal/list.js';
import { counted } from '../terminal/words.js';

const ROLES_HELP = `
The roles are ${ROLES.join(', ')}. A buyer reads, a developer also sells, an operator also runs the marketplace.`;

export function addDevelopers(program: Command, host: Host): void {
  const developers = program.command('developers').description('the people who buy, sell and operate');
  addInvite(developers, host);
  developers
    .command('list')
    .description('lists developers, also those who have keys alone or came with a token, the last one first')
    .option('--find <TEXT>', 'only those of whom a name contains this text, or whose subject it is')
    .option('--json', 'prints a JSON array')
    .action(async ({ find, json }) => {
      await withSession(host, ({ accounts }) => {
        const pages = cursorPages((request) => accounts.list(OPERATOR, { ...request, text: find }));
        return printList(host.stdout, LIST, pages, json);
      });
    });
  developers
    .command('role <NAME> <ROLE>')
    .description('changes what a developer may do; safe to repeat')
    .addHelpText('after', ROLES_HELP)
    .action(async (name, role) => {
      parseDeveloperId(name);
      parseRole(role);
      await withSession(host, ({ accounts }) => accounts.setRole(OPERATOR, name, role));
      say(host.stdout, `${name} has the role ${role}`);
    });
  developers
    .command('rename <NAME> <NEW>')
    .description('changes the name with which a developer signs in; safe to repeat')
    .addHelpText('after', '\nThe id and the public name stay.')
    .action(async (name, signInName) => {
      await withSession(host, ({ accounts }) => accounts.rename(OPERATOR, name, signInName));
      say(host.stdout, `${name} signs in as "${signInName.trim()}"`);
    });
  addSuspend(developers, host);
  developers
    .command('restore <NAME>')
    .description("lifts a suspension; the developer's keys work again; safe to repeat")
    .action(async (name) => {
      await withSession(host, ({ accounts }) => accounts.restore(OPERATOR, name));
      say(host.stdout, `developer ${name} is restored`);
    });
}

function addInvite(developers: Command, host: Host): void {
  developers
    .command('invite <NAME>')
    .description('prints a one-time sign-in link to the panel, valid for 24 hours')
    .option('--role <ROLE>', `${ROLES.join(', ')}; new accounts are developers by default`)
    .option('--new', 'confirms a new name that looks like another one')
    .addHelpText('after', '\nInviting a developer again resets a forgotten password; an earlier link stops working.')
    .addHelpText('after', ROLES_HELP)
    .action((name, { role, new: isNew }) => invite(host, name, { role }, isNew));
  developers
    .command('emergency <NAME>')
    .description('lets an account sign in with its password also where PASSWORDS=off, and prints a link to choose one')
    .option('--new', 'confirms a new name that looks like another one')
    .addHelpText('after', '\nA password that the account has goes on. The form is at /panel/sign-in?password.')
    .action((name, { new: isNew }) => invite(host, name, { isForEmergencies: true }, isNew));
}

async function invite(host: Host, name: string, options: InviteOptions, isNew: true | undefined): Promise<void> {
  parseDeveloperId(name);
  if (options.role !== undefined) parseRole(options.role);
  const { stdout, stderr } = host;
  const { link, until, suspendedAt, namesake, whyDead } = await withSession(
    host,
    async (session) => {
      const { accounts, welcomeUrl, whyLinksAreDead } = session;
      if (isNew !== true) await refuseMisspelt(session, name);
      const invited = await accounts.invite(OPERATOR, name, options);
      return { ...invited, link: welcomeUrl(invited.token), whyDead: whyLinksAreDead };
    },
    'create',
  );
  if (!(await writeAndConfirm(stdout, `${link}\n`)))
    throw new Error(`The link for ${name} could not be shown. Please run "developers invite ${name}" again.`);
  say(stderr, `This link for ${name} works once, until ${until.toISOString()}. It is not shown again.`);
  if (suspendedAt !== undefined)
    say(stderr, `${name} is suspended: this link works only after "developers restore ${name}"`);
  if (namesake !== undefined)
    say(stderr, `${namesake.id} is already shown as "${namesake.publicName}", which looks like ${name}`);
  if (whyDead !== undefined) say(stderr, whyDead);
}

function addSuspend(developers: Command, host: Host): void {
  developers
    .command('suspend <NAME>')
    .description("ends a developer's sessions and stops their keys; safe to repeat; - for a list")
    .option('--withdraw', 'also withdraws everything that the developer has on sale, permanently')
    .option('--reason <TEXT>', 'with --withdraw: the reason, which the developer can read')
    .addHelpText('after', '\nWhat the developer sells stays on sale unless --withdraw is given.')
    .addHelpText('after', 'With - the names, or the subjects of an issuer, come from standard input, one a line.')
    .action(async (name, { withdraw, reason }) => {
      if (reason !== undefined && !withdraw) throw new UsageError('--reason needs --withdraw');
      if (name === '-') return withSession(host, (session) => suspendLeavers(host, session, { withdraw, reason }));
      const { withdrawn } = await withSession(host, ({ accounts }) =>
        accounts.suspend(OPERATOR, name, { withdraw, reason }),
      );
      const also = withdrawn === undefined ? '' : `; ${counted(withdrawn, 'automation')} withdrawn permanently`;
      say(host.stdout, `developer ${name} is suspended${also}`);
    });
}

const LIST = shownBy<Account>([
  { name: 'name', heading: 'name', value: ({ id }) => id, cutTo: 24 },
  { name: 'role', heading: 'role', value: ({ role }) => role },
  { name: 'sign_in_name', heading: 'signs in as', value: ({ signInName }) => signInName, cutTo: 12 },
  { name: 'added_at', heading: 'added', value: ({ addedAt }) => addedAt, leaveOut: 4 },
  { name: 'invited_until', heading: 'link until', value: ({ invitedUntil }) => invitedUntil, leaveOut: 1 },
  { name: 'active_since', heading: 'active since', value: ({ activeSince }) => activeSince, leaveOut: 3 },
  { name: 'suspended_at', heading: 'suspended', value: ({ suspendedAt }) => suspendedAt, leaveOut: 2 },
  {
    heading: 'subject',
    value: ({ identities }) => identities?.map(({ subject }) => subject),
    cutTo: 12,
    leaveOut: 5,
  },
  { name: 'state', heading: 'state', value: ({ status }) => status },
  { name: 'emergency_since', value: ({ emergencySince }) => emergencySince },
  { name: 'identities', value: ({ identities = [] }) => identities },
]);

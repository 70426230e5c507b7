import { expect } from 'chai';
import type { Account } from '../../../application/accounts.js';
import { CORE } from '../../../composition/tokens.js';
import { OPERATOR } from '../../../domain/access.js';
import { panelOnEveryStorage } from '../../support/panel-on-every-storage.js';
import { PASSWORD } from '../../support/panel.js';
import type { Visitor } from '../../support/panel-visitor.js';
import { walk } from '../../support/person.js';
import { signInSettings } from '../../support/scripted-issuer.js';
import { startSignInIssuer, type SignInIssuer } from '../../support/sign-in-issuer.js';

const START = '/panel/sign-in/organisation';
const settings: Record<string, string> = {};

describe('People of an issuer', () => {
  let issuer: SignInIssuer;
  before(async () => {
    issuer = await startSignInIssuer();
    Object.assign(settings, signInSettings(issuer.url));
  });
  after(() => issuer.leave());

  panelOnEveryStorage(
    'People who sign in at an issuer',
    (stage) => {
      const core = () => stage.service.container.get(CORE);
      const accounts = () => core().accounts;
      const accountOf = async (subject: string): Promise<Account | undefined> => {
        const { items } = await accounts().list(OPERATOR, { text: subject });
        return items[0];
      };
      /** Goes to the issuer and back with a browser; returns where it is led in the end. */
      const signIn = async (visitor: Visitor, login: string, start = START) => {
        const started = await visitor.open(start);
        expect(started.status, started.body).to.equal(303);
        const callback = await walk(new URL(started.headers.get('location') ?? ''), login);
        expect(callback.origin + callback.pathname).to.equal(`${stage.service.url}/panel/signed-in`);
        return visitor.open(callback.pathname + callback.search);
      };
      const member = async (login: string, ...groups: readonly string[]) => {
        issuer.people.set(login, { groups, name: `Name of ${login}`, email: `${login}@corp.example` });
        const visitor = stage.stranger();
        return { visitor, sent: await signIn(visitor, login) };
      };

      beforeEach(() => {
        issuer.people.clear();
        issuer.admit(stage.service.url);
      });

      it('get an account of their own, with the role of their groups, and choose their public name', async () => {
        const { visitor, sent } = await member('ada', 'sellers', 'everyone');
        expect(sent.status).to.equal(303);
        const choosing = sent.headers.get('location') ?? '';
        expect(choosing).to.equal('/panel/account?notice=first&next=%2Fpanel');
        const page = await visitor.open(choosing);
        expect(page.body).to.include('Choose the name that others see').and.not.include('Change password');
        expect(page.body).to.not.include('Name of ada').and.not.include('ada@corp.example');
        const saved = await visitor.submit('/panel/account/profile', {
          publicName: 'Ada',
          website: '',
          next: '/panel',
        });
        expect(saved.headers.get('location')).to.equal('/panel');
        const account = await accountOf('ada');
        expect(account).to.include({ role: 'developer', status: 'active', publicName: 'Ada' });
        expect(account).to.not.have.any.keys('signInName', 'invitedUntil');
        expect(account?.id).to.match(/^person-[a-z0-9]{10}$/);
        expect(account?.identities).to.deep.equal([{ issuer: issuer.url, subject: 'ada' }]);
      });

      it('have the same account the next time, and the page that was asked for', async () => {
        const { visitor } = await member('ada', 'everyone');
        await visitor.open('/panel/account');
        expect((await visitor.submit('/panel/sign-out', {})).headers.get('location')).to.equal(
          '/panel/sign-in?notice=signed-out',
        );
        const again = await signIn(visitor, 'ada', `${START}?next=${encodeURIComponent('/panel/keys?before=1')}`);
        expect(again.headers.get('location')).to.equal('/panel/keys?before=1');
        expect(await accounts().count(OPERATOR)).to.equal(1);
      });

      it('come back to no other site', async () => {
        await member('ada', 'everyone');
        for (const next of ['https://evil.example/', '//evil.example/', '/docs', '/\\evil.example']) {
          const sent = await signIn(stage.stranger(), 'ada', `${START}?next=${encodeURIComponent(next)}`);
          expect(sent.headers.get('location')).to.equal('/panel');
        }
      });

      it('have the same account as the tokens of the issuer', async () => {
        const id = await core().identities.accountOf({ issuer: issuer.url, subject: 'ada' });
        await member('ada', 'sellers');
        expect((await accountOf('ada'))?.id).to.equal(id);
      });

      it('get the role of their groups again at each sign-in, the highest of several', async () => {
        const roles = [];
        for (const groups of [['everyone'], ['sellers', 'owners'], ['everyone', 'sellers'], ['everyone']]) {
          if (roles.length === 1) await member('olga', 'admins');
          await member('ada', ...groups);
          roles.push((await accountOf('ada'))?.role);
        }
        expect(roles).to.deep.equal(['buyer', 'operator', 'developer', 'buyer']);
        const { items } = await core().audit.list(OPERATOR, { limit: 100 });
        const changes = items.filter(({ action }) => action === 'developer-role-changed').map(({ role }) => role);
        expect(changes).to.have.members(['buyer', 'operator', 'operator', 'developer', 'buyer']);
      });

      it('are refused without a role, and told whom to ask', async () => {
        const { visitor, sent } = await member('ada', 'guests');
        expect(sent.status).to.equal(403);
        expect(sent.body).to.include('You have no role here').and.include('Ask the operator of this marketplace');
        expect(await accounts().count(OPERATOR)).to.equal(0);
        expect((await visitor.open('/panel')).status).to.equal(303);
      });

      it('lose nothing as the last active operator, whose groups are gone; the log says so', async () => {
        await member('olga', 'admins');
        await member('olga', 'everyone');
        expect((await accountOf('olga'))?.role).to.equal('operator');
        expect(stage.service.logged.filter((line) => line.includes('the last active operator'))).to.have.length(1);
        await member('otto', 'admins');
        await member('olga', 'everyone');
        expect((await accountOf('olga'))?.role).to.equal('buyer');
      });

      it('are refused while suspended, and the role stays then', async () => {
        await member('otto', 'admins');
        await member('ada', 'sellers');
        const { id = '' } = (await accountOf('ada')) ?? {};
        await accounts().suspend(OPERATOR, id);
        const { sent } = await member('ada', 'admins');
        expect([sent.status, sent.body.includes('This account is suspended')]).to.deep.equal([403, true]);
        expect((await accountOf('ada'))?.role).to.equal('developer');
        const { items } = await core().audit.list(OPERATOR, { limit: 1 });
        expect(items[0]).to.include({ action: 'sign-in-failed', developerId: id });
      });

      it('have a role and a password that the panel does not change', async () => {
        const { visitor } = await member('olga', 'admins');
        await member('ada', 'sellers');
        const { id = '' } = (await accountOf('ada')) ?? {};
        const page = `/panel/operator/developers/${id}`;
        const { body } = await visitor.open(page);
        expect(body)
          .to.include('The role comes from Example')
          .and.not.include('Change role')
          .and.not.include('new link');
        const changed = await visitor.submit(`${page}/role`, { role: 'operator' });
        expect([changed.status, changed.body.includes('The role comes from Example')]).to.deep.equal([409, true]);
        const invited = await visitor.submit('/panel/operator/developers', { developer: id, role: '' });
        expect([invited.status, invited.body.includes('This person signs in with Example')]).to.deep.equal([409, true]);
        const after = await accountOf('ada');
        expect([after?.role, after?.invitedUntil]).to.deep.equal(['developer', undefined]);
      });

      it('have a session of 12 hours with the sid of the issuer; passwords go on next to it', async () => {
        await member('ada', 'sellers');
        const { id = '' } = (await accountOf('ada')) ?? {};
        const [session] = await stage.service.repositories.sessions.list(id as never);
        expect(session?.sid).to.match(/.{10}/);
        expect(Number(session?.until) - Number(session?.createdAt)).to.equal(12 * 3_600_000);
        const bob = await stage.developer('bob');
        expect((await bob.open('/panel')).status).to.equal(200);
        expect((await stage.stranger().signIn('bob@example.com', PASSWORD)).status).to.equal(303);
      });

      it('sign out here, and find a link to sign out of the issuer', async () => {
        const { visitor } = await member('ada', 'sellers');
        await visitor.open('/panel/account');
        const out = await visitor.submit('/panel/sign-out', {});
        const { body } = await visitor.open(out.headers.get('location') ?? '');
        const [, link = ''] = /href="([^"]*session\/end[^"]*)"/.exec(body) ?? [];
        const { origin, searchParams } = new URL(link.replaceAll('&amp;', '&'));
        expect(origin).to.equal(issuer.url);
        expect(Object.fromEntries(searchParams)).to.deep.equal({
          client_id: 'market',
          post_logout_redirect_uri: `${stage.service.url}/panel/sign-in`,
        });
      });

      it('keep what they typed when the session has ended: another tab signs in, and it is sent again', async () => {
        const { visitor } = await member('ada', 'sellers');
        const typed = { title: 'Sorts mail', description: 'Every morning.', price: '1', category: 'email' };
        await core().security.signOutEverywhere({
          isSignedIn: true,
          role: 'developer',
          developerId: (await accountOf('ada'))?.id ?? ('' as never),
        });
        const kept = await visitor.submit('/panel/automations/new', typed);
        expect([kept.status, kept.body.includes('target="_blank"')]).to.deep.equal([403, true]);
        const [, link = ''] = /href="([^"]*organisation[^"]*)"/.exec(kept.body) ?? [];
        await signIn(visitor, 'ada', link);
        const again = Object.entries(typed).map(([name, value]) => [`kept.${name}`, value] as const);
        const shown = await visitor.submit('/panel/automations/new', again, { withToken: false });
        expect([shown.status, shown.body.includes('value="Sorts mail"')]).to.deep.equal([403, true]);
      });
    },
    settings,
  );
});

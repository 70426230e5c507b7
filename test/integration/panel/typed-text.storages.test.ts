import { expect } from 'chai';
import { OPERATOR, SCOPES, parseDeveloperId } from '../../../application/index.js';
import { CORE } from '../../../composition/tokens.js';
import { PASSWORD } from '../../support/panel.js';
import { panelOnEveryStorage } from '../../support/panel-on-every-storage.js';
import type { Visitor } from '../../support/panel-visitor.js';

const OLGA = { developerId: parseDeveloperId('olga'), scopes: SCOPES };
const LONG = `${'A description that took an hour. '.repeat(200)}\n\n"Quotes" & <marks>, 日本語, \u{1F600}`;
const KEPT = /<input type="hidden" name="(kept\.[^"]+)" value="([^"]*)">/g;

interface TypedForm {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  /** What the form must show again; by default all fields. */
  readonly shown?: readonly string[];
}

/** Returns a form as a browser sends it. */
function encoded(fields: readonly (readonly [string, string])[]): string {
  const form = new URLSearchParams();
  for (const [name, value] of fields) form.append(name, value);
  return form.toString();
}

/** Returns the text of an attribute or an element. */
function unescaped(html: string): string {
  const named = html.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  return named.replaceAll('&amp;', '&');
}

panelOnEveryStorage('Typed text in the panel', (stage) => {
  let olga: Visitor;
  let forms: readonly TypedForm[];
  beforeEach(async () => {
    olga = await stage.developer('olga');
    await stage.service.container.get(CORE).accounts.setRole(OPERATOR, 'olga', 'operator');
    await stage.service.invite('bob');
    const draft = { title: 'Old', description: 'Old', price: 1, categoryId: 'uncategorized' };
    const { id, updatedAt } = await stage.service.marketplace.createAutomation(OLGA, draft);
    const { key } = await stage.service.keys.issue(OPERATOR, { developer: 'olga', name: 'K', scopes: SCOPES });
    const texts = { url: 'https://typed.example/?"', license: 'Typed <licence>' };
    const typed = { title: 'Typed', description: LONG, price: '9.5', categoryId: 'uncategorized', ...texts };
    const basedOn = updatedAt.toISOString();
    forms = [
      { path: '/panel/automations/new', fields: typed },
      { path: `/panel/automations/${id}/revise`, fields: { ...typed, basedOn } },
      { path: `/panel/automations/${id}/withdraw`, fields: { reason: 'A reason that was typed' } },
      {
        path: '/panel/keys',
        fields: { name: 'Typed key', expires: '365', scopes: 'automations:read' },
        shown: ['Typed key'],
      },
      { path: `/panel/keys/${key.id}/rename`, fields: { name: 'Typed name' } },
      { path: '/panel/account/profile', fields: { publicName: 'Typed Inc.', website: 'https://typed.example' } },
      {
        path: '/panel/account/sign-in-name',
        fields: { name: 'typed@example.com', nameCurrent: PASSWORD },
        shown: ['typed@example.com'],
      },
      { path: '/panel/operator/developers', fields: { developer: 'typed-name', role: 'buyer' }, shown: ['typed-name'] },
      {
        path: '/panel/operator/developers/bob/suspend',
        fields: { reason: 'A reason that was typed', withdraw: 'on' },
        shown: ['A reason that was typed'],
      },
      { path: '/panel/operator/categories', fields: { name: 'Typed category', id: 'typed-category' } },
      { path: '/panel/operator/categories/uncategorized/rename', fields: { name: 'Typed category' } },
      { path: `/panel/operator/automations/${id}/revise`, fields: { ...typed, basedOn } },
      { path: `/panel/operator/automations/${id}/withdraw`, fields: { reason: 'A reason that was typed' } },
    ];
  });

  /** Everything that a form could have changed. */
  async function state() {
    const { marketplace, keys, container } = stage.service;
    const { items } = await marketplace.listAutomations(OLGA);
    const automations = await Promise.all(items.map(({ id }) => marketplace.readAutomation(OLGA, id)));
    const accounts = await container.get(CORE).accounts.list(OPERATOR);
    return {
      automations,
      keys: await keys.list(OPERATOR),
      accounts,
      categories: await marketplace.listCategories(OLGA),
    };
  }

  it('is kept by every form when the session has ended, is there after sign-in, and does nothing', async () => {
    const before = await state();
    for (const { path, fields, shown = Object.values(fields) } of forms) {
      const elsewhere = stage.stranger();
      elsewhere.token = 'of an ended session';
      const asked = await elsewhere.submit(path, fields);
      expect(asked.status, path).to.equal(403);
      expect(asked.body, path).to.include('<h1>Sign in</h1>').and.not.include(PASSWORD);
      const kept = Array.from(
        asked.body.matchAll(KEPT),
        ([, name = '', value = '']) => [name, unescaped(value)] as const,
      );
      const wrong = await elsewhere.submit(
        '/panel/sign-in',
        [['name', 'olga@example.com'], ['password', 'wrong'], ['next', path], ...kept],
        { withToken: false },
      );
      expect(Array.from(wrong.body.matchAll(KEPT)), path).to.have.length(kept.length);
      const form = [['name', 'olga@example.com'], ['password', PASSWORD], ['next', path], ...kept] as const;
      const signedIn = await elsewhere.submit('/panel/sign-in', form, { withToken: false });
      expect([signedIn.status, signedIn.headers.get('location')], path).to.deep.equal([307, path]);
      const filled = await elsewhere.post(path, encoded(form));
      expect(filled.status, path).to.equal(403);
      for (const text of shown) expect(unescaped(filled.body), `${path} ${text.slice(0, 20)}`).to.include(text);
      expect(filled.body, path).to.include('Nothing was done yet').and.not.include(PASSWORD);
    }
    expect(await state()).to.deep.equal(before);
  });

  it('is kept by every form after a sign-in in another tab, and sending it again works', async () => {
    const before = await state();
    for (const { path, fields, shown = Object.values(fields) } of forms) {
      const answer = await olga.submit(path, { ...fields, token: 'of an earlier session' }, { withToken: false });
      expect(answer.status, path).to.equal(403);
      for (const text of shown) expect(unescaped(answer.body), `${path} ${text.slice(0, 20)}`).to.include(text);
    }
    expect(await state()).to.deep.equal(before);
    const [publish] = forms;
    await olga.open('/panel/automations/new');
    expect((await olga.submit('/panel/automations/new', publish?.fields ?? {})).status).to.equal(303);
  });

  it('of another site is refused, with or without a session, and nothing of it is shown', async () => {
    for (const visitor of [olga, stage.stranger()])
      for (const { path, fields } of forms) {
        const answer = await visitor.submit(path, fields, { headers: { Origin: 'https://evil.example' } });
        expect(answer.status, path).to.equal(403);
        expect(answer.body, path).to.include('https://evil.example').and.not.include('yped');
      }
  });

  it('leads back to the page that was asked for, and to no other site', async () => {
    for (const path of ['/panel/keys', '/panel/history?kind=keys', '/panel/operator/developers?q=b%20c']) {
      const visitor = stage.stranger();
      const location = (await visitor.open(path)).headers.get('location') ?? '';
      const page = await visitor.open(location);
      const next = unescaped(/name="next" value="([^"]+)"/.exec(page.body)?.[1] ?? '');
      const answer = await visitor.submit(
        '/panel/sign-in',
        { name: 'olga@example.com', password: PASSWORD, next },
        { withToken: false },
      );
      expect([answer.status, answer.headers.get('location')]).to.deep.equal([303, path]);
    }
    for (const next of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example/panel',
      '/panel/../evil',
      '/panelx',
      'javascript:alert(1)',
      '/panel\\..\\..\\evil',
    ]) {
      const fields = { name: 'olga@example.com', password: PASSWORD, next };
      const answer = await stage.stranger().submit('/panel/sign-in', fields, { withToken: false });
      expect(answer.headers.get('location'), next).to.equal('/panel');
    }
  });
});

import { expect } from 'chai';
import { parseDeveloperId } from '../../../domain/access.js';
import {
  automationId,
  changedFields,
  contentText,
  checkDraft,
  newAutomation,
  reviseAutomation,
  sameContent,
  type AutomationId,
  type UncheckedDraft,
} from '../../../domain/automation.js';
import { newCategory } from '../../../domain/category.js';
import { parseCurrency } from '../../../domain/currency.js';
import { Violations } from '../../../domain/errors.js';
import { brokenBy, failureOf } from './failure.js';

const MARKET = { currency: parseCurrency('USD'), category: newCategory({ id: 'tools', name: 'Tools' }) };
function violationsOf(draft: UncheckedDraft) {
  const violations = new Violations();
  checkDraft(draft, MARKET, violations);
  return violations.fields;
}
const OFFERING = {
  id: '01900000-0000-7000-8000-000000000001' as AutomationId,
  developerId: parseDeveloperId('ada'),
  createdAt: new Date(0),
};
const DRAFT = { title: 'Sorts mail', description: 'Every\nmorning.', price: 9.99, categoryId: 'tools' };

const made = (draft: UncheckedDraft = {}, market = MARKET) => newAutomation({ ...DRAFT, ...draft }, market, OFFERING);

describe('the id of an automation', () => {
  for (const text of ['01900000-0000-7000-8000-000000000001', 'ffffffff-ffff-4fff-bfff-ffffffffffff'])
    it(`is ${text}`, () => {
      expect(automationId(text)).to.equal(text);
    });

  it('is in lower case, also of a text in upper case', () => {
    expect(automationId('01900000-0000-7000-8000-00000000000A')).to.equal('01900000-0000-7000-8000-00000000000a');
  });

  for (const text of [
    '',
    '1',
    '01900000-0000-7000-8000-00000000000',
    '01900000-0000-7000-8000-000000000001\n',
    '0190000000007000800000000000000001',
    '{01900000-0000-7000-8000-000000000001}',
    '01900000-0000-7000-8000-00000000000g',
  ])
    it(`is not ${JSON.stringify(text)}`, () => {
      expect(automationId(text)).to.equal(undefined);
    });
});

describe('a new automation', () => {
  it('is the draft and the offering', () => {
    expect(made()).to.deep.equal({
      title: 'Sorts mail',
      description: 'Every\nmorning.',
      price: { minorUnits: 999, currency: 'USD' },
      categoryId: 'tools',
      url: null,
      license: null,
      file: null,
      ...OFFERING,
      updatedAt: OFFERING.createdAt,
    });
  });

  it('cannot be changed', () => {
    expect(made()).to.be.frozen;
    expect(made().price).to.be.frozen;
  });

  it('takes nothing else from the draft', () => {
    const draft = { ...DRAFT, id: 'mine', developerId: 'eve', createdAt: 'never', currency: 'EUR', more: 1 };
    expect(newAutomation(draft, MARKET, OFFERING)).to.deep.equal(made());
  });

  it('has its texts trimmed', () => {
    const { title, description } = made({ title: ' a ', description: '\n b \n' });
    expect([title, description]).to.deep.equal(['a', 'b']);
  });

  it('has a title of 200 and a description of 10,000 code points at most', async () => {
    made({ title: '🙂'.repeat(200), description: '🙂'.repeat(10_000) });
    const draft = { title: '🙂'.repeat(201), description: '🙂'.repeat(10_001) };
    expect(await brokenBy(() => made(draft))).to.deep.equal(['title: too-long', 'description: too-long']);
  });

  it('may have line breaks in its description only', async () => {
    expect(await brokenBy(() => made({ title: 'a\nb', description: 'a\n\tb' }))).to.deep.equal(['title: invalid-text']);
  });

  it('may have an address and a licence, trimmed; missing, null and blank is none', () => {
    const { url, license } = made({ url: ' https://ada.example/x ', license: ' Apache-2.0 OR MIT ' });
    expect([url, license]).to.deep.equal(['https://ada.example/x', 'Apache-2.0 OR MIT']);
    for (const none of [undefined, null, '', ' \n\t '])
      expect(made({ url: none, license: none })).to.include({ url: null, license: null });
  });

  it('has an address of 500 and a licence of 100 code points at most', async () => {
    const longest = `https://ada.example/${'🙂'.repeat(480)}`;
    expect(made({ url: longest, license: '🙂'.repeat(100) })).to.include({ url: longest });
    const draft = { url: `${longest}x`, license: '🙂'.repeat(101) };
    expect(await brokenBy(() => made(draft))).to.deep.equal(['url: too-long', 'license: too-long']);
  });

  for (const [url, expected] of [
    ['javascript:alert(1)', 'invalid-format'],
    ['http://ada.example', 'invalid-format'],
    ['https://ada@evil.example/', 'invalid-format'],
    ['https://ada.example\\@evil.example', 'invalid-format'],
    ['//ada.example', 'invalid-format'],
    ['https://ada.example/\u202e', 'invalid-text'],
    ['https://ada.example/\n', undefined],
    ['https://ada.example/\nx', 'invalid-text'],
    [7, 'wrong-type'],
    [['https://ada.example'], 'wrong-type'],
    [{ href: 'https://ada.example' }, 'wrong-type'],
  ] as const)
    it(`follows the rule of a developer's website with its address: ${JSON.stringify(url)}`, async () => {
      const broken = expected === undefined ? [] : [`url: ${expected}`];
      expect(violationsOf({ ...DRAFT, url }).map(({ field, code }) => `${field}: ${code}`)).to.deep.equal(broken);
    });

  for (const [license, expected] of [
    ['MIT\nApache', 'invalid-text'],
    ['MIT\u0000', 'invalid-text'],
    ['MIT\u202e', 'invalid-text'],
    ['MI\u200eT', 'invalid-text'],
    ['\u200b', 'invalid-text'],
    [false, 'wrong-type'],
    [['MIT'], 'wrong-type'],
  ] as const)
    it(`has one line of text as its licence, not ${JSON.stringify(license)}`, async () => {
      expect(await brokenBy(() => made({ license }))).to.deep.equal([`license: ${expected}`]);
    });

  for (const [what, categoryId, expected] of [
    ['none', undefined, 'required'],
    ['null', null, 'wrong-type'],
    ['a number', 1, 'wrong-type'],
    ['another than the one found', 'games', 'unknown-value'],
    ['no slug', 'Tools', 'unknown-value'],
    ['empty', '', 'unknown-value'],
  ] as const)
    it(`needs a category that exists: ${what}`, async () => {
      expect(await brokenBy(() => made({ categoryId }))).to.deep.equal([`categoryId: ${expected}`]);
    });

  it('needs a category that was found', async () => {
    const market = { currency: MARKET.currency, category: undefined };
    expect(await brokenBy(() => newAutomation(DRAFT, market, OFFERING))).to.deep.equal(['categoryId: unknown-value']);
  });

  it('reports all broken rules at once', async () => {
    const required = ['title: required', 'description: required', 'price: required', 'categoryId: required'];
    expect(await brokenBy(() => newAutomation({}, MARKET, OFFERING))).to.deep.equal(required);
    const draft = { title: '', description: 'a\0b', price: '9.99', categoryId: 'games' };
    const failure = await failureOf(() => made(draft));
    expect([failure.kind, failure.code]).to.deep.equal(['invalid', 'invalid-fields']);
    expect(failure.fields).to.deep.equal(violationsOf(draft));
    expect(failure.fields.map(({ code }) => code)).to.deep.equal([
      'too-short',
      'invalid-text',
      'wrong-type',
      'unknown-value',
    ]);
  });

  it('breaks no rule', () => {
    expect(violationsOf(DRAFT)).to.deep.equal([]);
  });
});

describe('a revision of an automation', () => {
  const games = { ...MARKET, category: newCategory({ id: 'games', name: 'Games' }) };
  const revised = (changes: UncheckedDraft, market = MARKET, at = new Date(5)) =>
    reviseAutomation(made(), changes, market, at);

  for (const [field, changes, market, value] of [
    ['title', { title: ' x ' }, MARKET, 'x'],
    ['description', { description: 'x\ny' }, MARKET, 'x\ny'],
    ['price', { price: 0 }, MARKET, { minorUnits: 0, currency: 'USD' }],
    ['categoryId', { categoryId: 'games' }, games, 'games'],
    ['url', { url: ' https://ada.example' }, MARKET, 'https://ada.example'],
    ['license', { license: 'MIT ' }, MARKET, 'MIT'],
  ] as const)
    it(`changes the ${field}, and nothing else but the time`, () => {
      const automation = revised(changes, market);
      expect(automation).to.deep.equal({ ...made(), [field]: value, updatedAt: new Date(5) });
      expect(automation).to.be.frozen;
      expect(changedFields(made(), automation)).to.deep.equal([field]);
    });

  it('changes all six at once', () => {
    const others = { title: 'x', description: 'y', price: 1, categoryId: 'games', license: 'MIT' };
    const automation = revised({ ...others, url: 'https://ada.example' }, games);
    const all = ['title', 'description', 'price', 'categoryId', 'url', 'license'];
    expect(changedFields(made(), automation)).to.deep.equal(all);
  });

  it('removes an address and a licence with null or a blank text, and keeps them when they are missing', () => {
    const automation = made({ url: 'https://ada.example', license: 'MIT' });
    for (const none of [null, '', ' ']) {
      const without = reviseAutomation(automation, { url: none, license: none }, MARKET, new Date(5));
      expect(without).to.deep.equal({ ...made(), updatedAt: new Date(5) });
      expect(changedFields(automation, without)).to.deep.equal(['url', 'license']);
    }
    const changes = { title: 'x', url: undefined };
    expect(reviseAutomation(automation, changes, MARKET, new Date(5))).to.include({ url: automation.url });
  });

  it('is later than the last one, by at least a millisecond', () => {
    for (const time of [-5, 0, 1, 2])
      expect(revised({ title: 'x' }, MARKET, new Date(time)).updatedAt).to.deep.equal(new Date(Math.max(1, time)));
    const again = reviseAutomation(revised({ title: 'x' }), { title: 'y' }, MARKET, new Date(5));
    expect([again.createdAt, again.updatedAt]).to.deep.equal([new Date(0), new Date(6)]);
  });

  it('that changes nothing is the same automation', () => {
    const automation = made();
    for (const changes of [{}, DRAFT, { title: ' Sorts mail ' }, { title: undefined, price: 9.99 }])
      expect(reviseAutomation(automation, changes, MARKET, new Date(5))).to.equal(automation);
    expect(changedFields(automation, made())).to.deep.equal([]);
  });

  it('takes no other field', () => {
    const changes = { title: 'x', id: 'mine', developerId: 'eve', createdAt: 'never' };
    expect(revised(changes)).to.deep.equal(revised({ title: 'x' }));
  });

  it('reports every broken rule, also of what it does not change', async () => {
    const changes = { title: '', price: null, categoryId: 'none' };
    const broken = ['title: too-short', 'price: wrong-type', 'categoryId: unknown-value'];
    expect(await brokenBy(() => revised(changes))).to.deep.equal(broken);
    const market = { ...MARKET, category: undefined };
    expect(await brokenBy(() => reviseAutomation(made(), { title: 'x' }, market, new Date(5)))).to.deep.equal([
      'categoryId: unknown-value',
    ]);
  });
});

describe('the content of an automation as text', () => {
  it('is one for one content, by any developer and at any time', () => {
    const other = { ...OFFERING, createdAt: new Date(1), developerId: parseDeveloperId('bob') };
    expect(contentText(newAutomation({ ...DRAFT, title: ' Sorts mail' }, MARKET, other))).to.equal(contentText(made()));
  });

  it('is another where one of the fields differs, or the currency', () => {
    const euro = { ...MARKET, currency: parseCurrency('EUR') };
    const others = [
      made({ title: 'x' }),
      made({ description: 'x' }),
      made({ title: DRAFT.description.replace('\n', ' '), description: DRAFT.title }),
      made({ price: 1 }),
      made({}, euro),
      made({ url: 'https://ada.example' }),
      made({ license: 'https://ada.example' }),
      made({ license: 'null' }),
    ];
    expect(new Set([made(), ...others].map((one) => contentText(one)))).to.have.property('size', 9);
  });
});

describe('two automations', () => {
  it('have the same content whoever offers them, whenever', () => {
    const other = newAutomation(DRAFT, MARKET, {
      ...OFFERING,
      createdAt: new Date(1),
      developerId: parseDeveloperId('bob'),
    });
    expect(sameContent(made(), other)).to.be.true;
    expect(sameContent(made(), made({ title: ` ${DRAFT.title}`, price: 9.99 }))).to.be.true;
  });

  it('have other content when one of the fields differs, or the currency', () => {
    const games = { ...MARKET, category: newCategory({ id: 'games', name: 'Games' }) };
    const euro = { ...MARKET, currency: parseCurrency('EUR') };
    const others = [
      made({ title: 'x' }),
      made({ description: 'x' }),
      made({ price: 1 }),
      made({ categoryId: 'games' }, games),
      made({ url: 'https://ada.example' }),
      made({ license: 'MIT' }),
      made({}, euro),
    ];
    for (const other of others) expect(sameContent(made(), other)).to.be.false;
  });
});

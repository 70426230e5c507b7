import { expect } from 'chai';
import { newCategory } from '../../../domain/category.js';
import { parseCurrency } from '../../../domain/currency.js';
import {
  isSameAutomation,
  parseImportedAutomation,
  type UncheckedAutomation,
} from '../../../domain/imported-automation.js';
import { brokenBy, failureOf } from './failure.js';

const MARKET = { currency: parseCurrency('USD'), category: newCategory({ id: 'tools', name: 'Tools' }) };
const WRITTEN = {
  id: '01900000-0000-7000-8000-000000000001',
  title: 'Sorts mail',
  description: 'Every\nmorning.',
  price: 9.99,
  currency: 'USD',
  categoryId: 'tools',
  developerId: 'ada',
  createdAt: '2026-01-31T12:00:00.007Z',
};

const moved = (other: UncheckedAutomation = {}) => parseImportedAutomation({ ...WRITTEN, ...other }, MARKET);

describe('a moved automation', () => {
  it('is what was written down', () => {
    expect(moved()).to.deep.equal({
      id: WRITTEN.id,
      title: 'Sorts mail',
      description: 'Every\nmorning.',
      price: { minorUnits: 999, currency: 'USD' },
      categoryId: 'tools',
      url: null,
      license: null,
      file: null,
      developerId: 'ada',
      createdAt: new Date('2026-01-31T12:00:00.007Z'),
      updatedAt: new Date('2026-01-31T12:00:00.007Z'),
    });
    expect(moved()).to.be.frozen;
  });

  it('has its address and its licence', () => {
    const texts = { url: 'https://ada.example/', license: 'MIT' };
    expect(moved(texts)).to.include(texts);
    expect(isSameAutomation(moved(texts), moved({ ...texts, license: null }))).to.be.false;
  });

  it('has its id in lower case, however it was written', () => {
    const id = '0190abcd-0000-7000-8000-00000000000f';
    expect(moved({ id: id.toUpperCase() }).id).to.equal(id);
  });

  it('may be of a developer with a random id, and of any day there ever was', () => {
    expect(moved({ developerId: 'person-7k2m9x4q1a' }).developerId).to.equal('person-7k2m9x4q1a');
    for (const createdAt of ['2024-02-29T23:59:59.999Z', '1970-01-01T00:00:00.000Z', '0001-01-01T00:00:00.000Z'])
      expect(moved({ createdAt }).createdAt.toISOString()).to.equal(createdAt);
  });

  it('has the time of its last revision, or that of its creation', () => {
    for (const updatedAt of [WRITTEN.createdAt, '2026-01-31T12:00:00.008Z', '9999-12-31T23:59:59.999Z'])
      expect(moved({ updatedAt }).updatedAt.toISOString()).to.equal(updatedAt);
  });

  const BROKEN: Readonly<Record<string, readonly unknown[]>> = {
    'id: invalid-format': ['', '7', WRITTEN.id.replace('7', 'G'), `${WRITTEN.id}\n`],
    'id: wrong-type': [7, null, {}],
    'id: required': [undefined],
    'currency: unknown-value': ['EUR', 'usd', '', 7, null],
    'currency: required': [undefined],
    'developerId: invalid-format': ['', 'Ada', 'a--b', 'oauth:ada', 'ada\u202e', 'x'.repeat(65)],
    'developerId: wrong-type': [null, 7, ['ada']],
    'developerId: required': [undefined],
    'createdAt: invalid-format': [
      '',
      '2026-01-31',
      '2026-01-31T12:00:00Z',
      '2026-01-31T12:00:00.0Z',
      '2026-01-31T12:00:00.0000Z',
      '2026-01-31T12:00:00.000',
      '2026-01-31T12:00:00.000+00:00',
      '2026-01-31 12:00:00.000Z',
      '2026-02-30T12:00:00.000Z',
      '2026-01-31T24:00:00.000Z',
      '2026-01-31T12:00:60.000Z',
      '+012026-01-31T12:00:00.000Z',
      '-000001-01-31T12:00:00.000Z',
      '2026-01-31T12:00:00.000z',
    ],
    'createdAt: wrong-type': [1_769_860_800_000, null],
    'createdAt: required': [undefined],
    'updatedAt: invalid-format': ['', '2026-01-31', '2026-02-30T12:00:00.000Z'],
    'updatedAt: wrong-type': [null, 7],
    'updatedAt: out-of-range': ['2026-01-31T12:00:00.006Z', '1970-01-01T00:00:00.000Z'],
    'title: too-short': [''],
    'price: out-of-range': [-1],
    'categoryId: unknown-value': ['games'],
  };
  for (const [rule, values] of Object.entries(BROKEN))
    it(`can break the rule ${rule}`, async () => {
      const [field = ''] = rule.split(':');
      for (const value of values)
        expect(await brokenBy(() => moved({ [field]: value })), String(value)).to.deep.equal([rule]);
    });

  it('tells every broken rule at once', async () => {
    const market = { ...MARKET, category: undefined };
    const fields = (await failureOf(() => parseImportedAutomation({}, market))).fields.map(({ field }) => field);
    expect(fields).to.have.members(Object.keys(WRITTEN));
  });

  it('is the very same only if nothing differs', () => {
    const others = {
      title: 'x',
      description: 'x',
      price: 1,
      developerId: 'bob',
      createdAt: '2026-01-31T12:00:00.008Z',
    };
    expect(isSameAutomation(moved(), moved())).to.be.true;
    for (const [field, value] of Object.entries(others))
      expect(isSameAutomation(moved(), moved({ [field]: value })), field).to.be.false;
  });
});

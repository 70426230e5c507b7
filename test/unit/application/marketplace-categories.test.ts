import { expect } from 'chai';
import { InMemoryAuditLog, InMemoryCategoryRepository } from '../../../adapters/in-memory/index.js';
import {
  AuditTrail,
  type CategoryId,
  DomainError,
  MarketplaceCategories,
  newCategory,
  OPERATOR,
  parseDeveloperId,
} from '../../../application/index.js';

const OLGA = { isOperator: true, operatorId: parseDeveloperId('olga') } as const;

describe('MarketplaceCategories', () => {
  let repository: InMemoryCategoryRepository;
  let audit: AuditTrail;
  let categories: MarketplaceCategories;
  let onSale: Map<CategoryId, number>;
  beforeEach(() => {
    repository = new InMemoryCategoryRepository([newCategory({ id: 'sales', name: 'Sales' })]);
    audit = new AuditTrail(new InMemoryAuditLog());
    onSale = new Map();
    categories = new MarketplaceCategories(repository, { countByCategory: async () => onSale }, audit);
  });

  const names = async () => (await categories.list()).map(({ id, name }) => `${id}: ${name}`);
  const entries = async () =>
    (await audit.list(OPERATOR)).items.map(({ actor, operatorId, action, subject, developerId }) =>
      [actor, operatorId, action, subject, developerId].filter(Boolean).join(' '),
    );

  async function refusal(work: Promise<unknown>): Promise<string> {
    const error = await work.then(
      () => expect.fail('it was done'),
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof DomainError)) throw error;
    return [error.kind, error.code, ...error.fields.map(({ field, code }) => `${field} ${code}`)].join(', ');
  }

  it('lists them by name', async () => {
    await categories.add(OPERATOR, { id: 'crm', name: 'CRM' });
    await categories.add(OPERATOR, { id: 'cloud', name: 'Cloud' });
    expect(await names()).to.deep.equal(['cloud: Cloud', 'crm: CRM', 'sales: Sales']);
  });

  it('removes one in which nothing is on sale, under the name of the operator in the audit', async () => {
    await categories.remove(OLGA, 'sales');
    expect(await names()).to.deep.equal([]);
    expect(await entries()).to.deep.equal(['operator olga category-removed sales']);
    expect(await refusal(categories.remove(OLGA, 'sales'))).to.equal('not-found, no-such-category');
  });

  it('keeps one in which something is on sale, or was published while it was removed', async () => {
    onSale.set('sales' as CategoryId, 2);
    expect(await refusal(categories.remove(OLGA, 'sales'))).to.equal('conflict, category-in-use');
    onSale.clear();
    const remove = repository.remove.bind(repository);
    repository.remove = async (id) => {
      onSale.set(id, 1);
      return remove(id);
    };
    expect(await refusal(categories.remove(OLGA, 'sales'))).to.equal('conflict, category-in-use');
    expect(await names()).to.deep.equal(['sales: Sales']);
    expect(await entries()).to.deep.equal([]);
  });

  it('adds one, under the name of the operator in the audit', async () => {
    expect(await categories.add(OLGA, { id: 'ai', name: ' AI ' })).to.deep.equal({ id: 'ai', name: 'AI' });
    expect(await names()).to.deep.equal(['ai: AI', 'sales: Sales']);
    expect(await entries()).to.deep.equal(['operator olga category-added ai']);
  });

  it('refuses what is no category, and an id or a name that is taken, and adds nothing', async () => {
    const rows: readonly (readonly [string, unknown, string])[] = [
      ['No Slug', '', 'invalid, invalid-fields, id invalid-format, name too-short'],
      ['ai', 'x'.repeat(101), 'invalid, invalid-fields, name too-long'],
      ['ai', 'two\nlines', 'invalid, invalid-fields, name invalid-text'],
      ['ai', undefined, 'invalid, invalid-fields, name required'],
      ['sales', 'AI', 'conflict, duplicate-category, id taken'],
      ['ai', 'sALES', 'conflict, duplicate-category, name taken'],
      ['sales', 'Sales', 'conflict, duplicate-category, id taken'],
    ];
    for (const [id, name, why] of rows)
      expect(await refusal(categories.add(OPERATOR, { id, name })), why).to.equal(why);
    expect([await names(), await entries()]).to.deep.equal([['sales: Sales'], []]);
  });

  it('of two that are added at once with one id or one name, adds one', async () => {
    for (const [first, second] of [
      [
        { id: 'ai', name: 'AI' },
        { id: 'ai', name: 'Agents' },
      ],
      [
        { id: 'hr', name: 'People' },
        { id: 'people', name: 'people' },
      ],
    ]) {
      const outcomes = await Promise.allSettled([
        categories.add(OPERATOR, first ?? {}),
        categories.add(OPERATOR, second ?? {}),
      ]);
      expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected']);
    }
    expect(await names()).to.deep.equal(['ai: AI', 'hr: People', 'sales: Sales']);
  });

  it('renames one, also to its own name in another case; the same name changes nothing', async () => {
    expect(await categories.rename(OLGA, 'sales', 'SALES')).to.equal(true);
    expect(await categories.rename(OLGA, 'sales', ' SALES ')).to.equal(false);
    expect(await names()).to.deep.equal(['sales: SALES']);
    expect(await entries()).to.deep.equal(['operator olga category-renamed sales']);
  });

  it('renames none to what is no name or is taken, and knows which there are', async () => {
    await categories.add(OPERATOR, { id: 'ai', name: 'AI' });
    const rows: readonly (readonly [string, string, string])[] = [
      ['ai', ' ', 'invalid, invalid-fields, name too-short'],
      ['ai', 'sales', 'conflict, duplicate-category, name taken'],
      ['none', 'None', 'not-found, no-such-category'],
      ['No Slug', 'None', 'not-found, no-such-category'],
      ['__proto__', 'None', 'not-found, no-such-category'],
    ];
    for (const [id, name, why] of rows) expect(await refusal(categories.rename(OPERATOR, id, name)), why).to.equal(why);
    expect(await names()).to.deep.equal(['ai: AI', 'sales: Sales']);
  });

  it('imports many, which may exchange names, and records an import that changed something', async () => {
    await categories.add(OPERATOR, { id: 'ai', name: 'AI' });
    const list = [
      newCategory({ id: 'ai', name: 'Sales' }),
      newCategory({ id: 'sales', name: 'AI' }),
      newCategory({ id: 'hr', name: 'HR' }),
    ];
    const counts = { added: 1, renamed: 2, unchanged: 0 };
    expect(await categories.import(OLGA, list, 'lists/first.json')).to.deep.equal(counts);
    expect(await categories.import(OLGA, list)).to.deep.equal({ added: 0, renamed: 0, unchanged: 3 });
    expect(await names()).to.deep.equal(['sales: AI', 'hr: HR', 'ai: Sales']);
    expect(await entries()).to.deep.equal(['operator olga categories-imported', 'operator category-added ai']);
    expect((await audit.list(OPERATOR)).items[0]).to.deep.include({ counts, file: 'first.json' });
  });
});

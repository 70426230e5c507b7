import { expect } from 'chai';
import { DomainError, Marketplace, OPERATOR, type CategoryId } from '../../../application/index.js';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { decorated } from '../../../adapters/storage/decorated.js';
import { automation, GAMES, numbers, TOOLS } from '../../contracts/offers.js';
import { inMajorUnits } from '../../../domain/price.js';

/** Ten automations of two categories, as another store wrote them down. */
const EXPORTED = numbers(10).map((n) => {
  const { price, createdAt, updatedAt, ...rest } = automation(n, { categoryId: n % 2 === 0 ? GAMES : TOOLS });
  const times = { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
  return { ...rest, ...times, price: inMajorUnits(price), currency: price.currency };
});

describe('The categories of an import', () => {
  const marketplaceWith = (find: (id: CategoryId) => Promise<{ id: CategoryId; name: string } | undefined>) => {
    const { automations, categories } = inMemoryStorage();
    return new Marketplace(automations, decorated(categories, { find }));
  };

  it('are read once each, however many automations are in them', async () => {
    const asked: CategoryId[] = [];
    const marketplace = marketplaceWith(async (id) => {
      asked.push(id);
      return { id, name: id };
    });
    const prepared = await marketplace.prepareImports(OPERATOR, EXPORTED);
    expect(prepared.filter((one) => one instanceof DomainError)).to.deep.equal([]);
    expect(prepared).to.have.length(10);
    expect(asked.toSorted()).to.deep.equal([GAMES, TOOLS]);
  });

  it('that cannot be read fail it, and refuse no automation', async () => {
    const gone = new DomainError('unavailable', 'store-unavailable', 'gone');
    const marketplace = marketplaceWith(() => Promise.reject(gone));
    const failure: unknown = await marketplace.prepareImports(OPERATOR, EXPORTED).catch((error: unknown) => error);
    expect(failure).to.equal(gone);
  });
});

import assert from './assert.js';
import type { Category, CategoryId } from '../../domain/category.js';
import type { CategoryRepository } from '../../domain/ports.js';
import { tamper } from './handles.js';
import { LONGEST_SLUG, numbers } from './offers.js';
import { globalRunner, suiteOver, type Fresh, type Runner, type Suite } from './runner.js';

type Categories = Suite<CategoryRepository>;

/** What every `CategoryRepository` owes. */
export function categoryRepositoryContract(fresh: Fresh<CategoryRepository>, runner: Runner = globalRunner()): void {
  const suite = suiteOver(fresh, runner);
  suite.describe('CategoryRepository', () => {
    suite.describe('list', () => listPromises(suite));
    suite.describe('find', () => findPromises(suite));
    suite.describe('save', () => savePromises(suite));
    suite.describe('remove', () => removePromises(suite));
    handlePromises(suite);
  });
}

function listPromises({ describe, it }: Categories): void {
  describe('Returns every category, in any order', () => {
    it('none at first', async (repository) => {
      assert.deepEqual(await repository.list(), []);
    });

    it('501, each once, field for field', async (repository) => {
      const saved = numbers(501).map((n) => category(`category-${n}`, `Category ${n}`));
      await repository.save(saved.slice(0, 70));
      await repository.save(saved.slice(70));
      await assertKept(repository, saved);
    });

    it('two of one name', async (repository) => {
      await repository.save([category('one', 'Same'), category('two', 'Same')]);
      await assertKept(repository, [category('one', 'Same'), category('two', 'Same')]);
    });
  });
}

function findPromises({ describe, it }: Categories): void {
  describe('Returns the category; undefined when there is none with this id', () => {
    for (const name of ['Tools & Games', '👩‍👩‍👧 e\u0301', 'אבג', '𝕏', '$name', '<b>', `' " \\ %`])
      it(`with the name ${name}`, async (repository) => {
        await repository.save([category('one', name)]);
        assert.deepEqual(await repository.find('one' as CategoryId), category('one', name));
      });

    it('with the longest name', async (repository) => {
      await repository.save([category('one', '🙂'.repeat(100))]);
      assert.deepEqual(await repository.find('one' as CategoryId), category('one', '🙂'.repeat(100)));
    });

    for (const id of ['a', '0', 'constructor', 'a-1-b', LONGEST_SLUG])
      it(`with the id ${id}`, async (repository) => {
        assert.equal(await repository.find(id as CategoryId), undefined);
        await repository.save([category(id, 'Name')]);
        assert.deepEqual(await repository.find(id as CategoryId), category(id, 'Name'));
      });

    it('undefined for ids that are nearly there', async (repository) => {
      await repository.save([category('tools', 'Tools')]);
      for (const id of ['tool', 'toolss', 'tools-1', 'Tools', ''])
        assert.equal(await repository.find(id as CategoryId), undefined);
    });
  });
}

function savePromises({ describe, it }: Categories): void {
  const sentence =
    'Adds the categories whose id is new and renames the others, all or none of them; of two with one id the last ' +
    'counts';
  describe(sentence, () => {
    it('new ones beside those that are there', async (repository) => {
      await repository.save([category('one', 'One')]);
      await repository.save([category('two', 'Two')]);
      await assertKept(repository, [category('one', 'One'), category('two', 'Two')]);
    });

    it('new names, and those not named stay', async (repository) => {
      await repository.save([category('one', 'One'), category('two', 'Two')]);
      await repository.save([category('two', 'Zwei'), category('three', 'Drei')]);
      await assertKept(repository, [category('one', 'One'), category('two', 'Zwei'), category('three', 'Drei')]);
    });

    it('one id twice', async (repository) => {
      await repository.save([category('one', 'First'), category('two', 'Two'), category('one', 'Last')]);
      await assertKept(repository, [category('one', 'Last'), category('two', 'Two')]);
    });

    it('a reader meanwhile sees all or none', async (repository) => {
      const saved = numbers(100).map((n) => category(`category-${n}`, 'Name'));
      const reads = numbers(20).map(() => repository.list());
      const saving = repository.save(saved);
      for (const read of [...reads, ...numbers(20).map(() => repository.list())])
        assert.ok([0, 100].includes((await read).length));
      for (const n of numbers(100)) assert.ok([0, 100].includes((await repository.list()).length), `read ${n}`);
      await saving;
      await assertKept(repository, saved);
    });
  });

  describe('Returns how many were new', () => {
    it('of nothing, none', async (repository) => {
      assert.equal(await repository.save([]), 0);
    });

    it('all, then some, then none', async (repository) => {
      const [one, two, three] = [category('one', 'One'), category('two', 'Two'), category('three', 'Three')];
      assert.equal(await repository.save([one, two]), 2);
      assert.equal(await repository.save([two, three, category('one', 'Uno')]), 1);
      assert.equal(await repository.save([one, two, three]), 0);
    });

    it('of one id twice, one', async (repository) => {
      assert.equal(await repository.save([category('one', 'First'), category('one', 'Last')]), 1);
    });

    it('of 20 saved at once by 10, together 20', async (repository) => {
      const saved = numbers(20).map((n) => category(`category-${n}`, 'Name'));
      const counts = await Promise.all(numbers(10).map(() => repository.save(saved)));
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        20,
      );
      await assertKept(repository, saved);
    });
  });
}

function removePromises({ describe, it }: Categories): void {
  describe('Removes the category, and returns whether there was one', () => {
    for (const id of ['a', '0', 'constructor', 'a-1-b', LONGEST_SLUG])
      it(`with the id ${id}, and no other`, async (repository) => {
        await repository.save([category(id, 'Name'), category('other', 'Other')]);
        assert.equal(await repository.remove(id as CategoryId), true);
        await assertKept(repository, [category('other', 'Other')]);
        assert.equal(await repository.find(id as CategoryId), undefined);
        assert.equal(await repository.remove(id as CategoryId), false);
      });

    it('none of a store without categories', async (repository) => {
      assert.equal(await repository.remove('one' as CategoryId), false);
    });

    it('one that can be added again', async (repository) => {
      await repository.save([category('one', 'One')]);
      await repository.remove('one' as CategoryId);
      assert.equal(await repository.save([category('one', 'Uno')]), 1);
      await assertKept(repository, [category('one', 'Uno')]);
    });
  });

  describe('When raced, one call returns true', () => {
    it('of 10', async (repository) => {
      await repository.save([category('one', 'One')]);
      const removed = await Promise.all(numbers(10).map(() => repository.remove('one' as CategoryId)));
      assert.equal(removed.filter(Boolean).length, 1);
    });
  });
}

function handlePromises({ describe, it }: Categories): void {
  describe('Values that go in and come out are copies: changing them changes nothing in the store', () => {
    it('what was saved', async (repository) => {
      const saved = [category('one', 'One')];
      await repository.save(saved);
      tamper(saved);
      await assertKept(repository, [category('one', 'One')]);
    });

    it('what was found and listed', async (repository) => {
      await repository.save([category('one', 'One')]);
      tamper(await repository.find('one' as CategoryId));
      tamper(await repository.list());
      await assertKept(repository, [category('one', 'One')]);
    });
  });
}

function category(id: string, name: string): Category {
  return { id: id as CategoryId, name };
}

/** That these are the categories, listed in any order and found one by one. */
async function assertKept(repository: CategoryRepository, expected: readonly Category[]): Promise<void> {
  const listed = await repository.list();
  assert.equal(listed.length, expected.length);
  assert.deepEqual(new Set(listed.map(({ id }) => id)), new Set(expected.map(({ id }) => id)));
  for (const one of expected) {
    assert.deepEqual(await repository.find(one.id), one);
    assert.deepEqual(
      listed.find(({ id }) => id === one.id),
      one,
    );
  }
}

import { expect } from 'chai';
import { byName, categoryId, newCategory, type Category, type CategoryId } from '../../../domain/category.js';
import { brokenBy } from './failure.js';

describe('the id of a category', () => {
  for (const text of ['a', '0', 'a-b', 'a-1-b', '007', 'constructor', 'x'.repeat(64)])
    it(`is ${text}`, () => {
      expect(categoryId(text)).to.equal(text);
    });

  for (const text of ['', '-', '-a', 'a-', 'a--b', 'A', 'a b', 'a_b', 'ä', 'a\n', ' a', '١', 'ｱ', 'x'.repeat(65)])
    it(`is not ${JSON.stringify(text)}`, () => {
      expect(categoryId(text)).to.equal(undefined);
    });
});

describe('a category', () => {
  it('has an id and a name, trimmed, and cannot be changed', () => {
    const category = newCategory({ id: 'tools', name: '  Tools & Games 🙂 ' });
    expect(category).to.deep.equal({ id: 'tools', name: 'Tools & Games 🙂' });
    expect(category).to.be.frozen;
  });

  it('has a name of 1 to 100 code points, on one line', async () => {
    expect(newCategory({ id: 'a', name: '🙂'.repeat(100) }).name).to.equal('🙂'.repeat(100));
    expect(await brokenBy(() => newCategory({ id: 'a', name: '🙂'.repeat(101) }))).to.deep.equal(['name: too-long']);
    expect(await brokenBy(() => newCategory({ id: 'a', name: ' ' }))).to.deep.equal(['name: too-short']);
    expect(await brokenBy(() => newCategory({ id: 'a', name: 'a\nb' }))).to.deep.equal(['name: invalid-text']);
  });

  it('reports all broken rules at once', async () => {
    expect(await brokenBy(() => newCategory({}))).to.deep.equal(['id: invalid-format', 'name: required']);
    expect(await brokenBy(() => newCategory({ id: 1, name: 2 }))).to.deep.equal([
      'id: invalid-format',
      'name: wrong-type',
    ]);
    expect(await brokenBy(() => newCategory({ id: 'A', name: 'a\0b\tc' }))).to.deep.equal([
      'id: invalid-format',
      'name: invalid-text',
    ]);
  });
});

describe('the order of categories', () => {
  const category = (id: string, name: string): Category => ({ id: id as CategoryId, name });

  it('is by name as in a dictionary, then by id', () => {
    const ordered = [
      category('w', 'Äpfel'),
      category('z', 'Birnen'),
      category('y', 'Cloud'),
      category('x', 'CRM'),
      category('v', 'email'),
      category('u', 'Finance'),
      category('a', 'Zoo'),
      category('b', 'Zoo'),
    ];
    expect(Array.from(ordered).reverse().sort(byName)).to.deep.equal(ordered);
    expect(Array.from(ordered).sort(byName)).to.deep.equal(ordered);
  });
});

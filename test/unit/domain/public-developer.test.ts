import { expect } from 'chai';
import type { DeveloperId } from '../../../domain/access.js';
import { checkWebsite, publicDeveloper } from '../../../domain/public-developer.js';
import { checking } from './failure.js';

describe('a website', () => {
  for (const address of [
    'https://ada.example',
    'HTTPS://ada.example/',
    'https://zoë.example:8443/a?b=c#d',
    'https://[2001:db8::1]/',
    'https://ada.example?x',
  ])
    it(`may be ${address}`, () => {
      expect(checking((report) => checkWebsite(` ${address} `, report))).to.deep.equal({ value: address, broken: [] });
    });

  it('may have letters such as ë, also after thousands of others', () => {
    const address = 'https://zoë.example';
    for (let n = 0; n < 20_000; n += 1)
      expect(checking((report) => checkWebsite(address, report)).broken.length).to.equal(0);
  });

  for (const address of [
    ...['http://ada.example', 'ada.example', '//ada.example', 'javascript:alert(1)//https://', 'https:ada.example'],
    ...['https:\\\\ada.example', 'https://ada@evil.example', 'https://u:p@evil.example/', 'https://', 'https:///x'],
    ...['https://a b.example', 'https://ada.example/a b', 'https://ada.example\\@evil', 'https://ada.example:99999'],
    ...['https://[::1', ` data:text/html,https://`, `https://ada.example/${'x'.repeat(500)}`],
  ])
    it(`may not be ${address.slice(0, 60)}`, () => {
      expect(checking((report) => checkWebsite(address, report)).broken).not.to.deep.equal([]);
    });
});

describe('a developer in public', () => {
  it('has an id, and a name of their own or an @ and the id', () => {
    const id = 'ada' as DeveloperId;
    expect(publicDeveloper(id, undefined)).to.deep.equal({ id, name: '@ada' });
    const profile = { publicName: 'Ada Ltd', website: 'https://ada.example' };
    expect(publicDeveloper(id, profile)).to.deep.equal({ id, name: 'Ada Ltd', website: 'https://ada.example' });
  });
});

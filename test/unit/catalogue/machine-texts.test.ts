import { expect } from 'chai';
import { atomText } from '../../../adapters/catalogue/atom.js';
import { jsonLdOf } from '../../../adapters/catalogue/json-ld.js';
import { escapeXml } from '../../../adapters/catalogue/xml.js';
import { parseDeveloperId } from '../../../domain/access.js';
import { automationId, type Automation, type AutomationId } from '../../../domain/automation.js';
import type { CategoryId } from '../../../domain/category.js';
import { parseCurrency } from '../../../domain/currency.js';
import { minorUnits } from '../../../domain/price.js';

const AT = new Date('2026-11-25T10:00:00.000Z');
const LATER = new Date('2026-11-25T11:00:00.000Z');
const HOSTILE = '</script><script>alert(1)</script> <!-- ]]> & " \' \u2028';

function automation(changes: Partial<Automation> = {}): Automation {
  return {
    id: automationId('01a21262-e432-7048-ac5b-83cd6fea413a') as AutomationId,
    title: 'Sort my inbox',
    description: 'Sorts *it*.',
    price: { minorUnits: minorUnits(990), currency: parseCurrency('USD') },
    categoryId: 'crm' as CategoryId,
    url: null,
    license: null,
    file: null,
    developerId: parseDeveloperId('ada'),
    createdAt: AT,
    updatedAt: AT,
    ...changes,
  };
}

describe('Texts in XML', () => {
  it('are escaped, without what XML has no way to write', () => {
    expect(escapeXml('a<b>&"\r')).to.equal('a&lt;b&gt;&amp;&quot;&#13;');
    expect(escapeXml('a\u0000\u0008\u001F\uFFFE\uD800b\t\n😀')).to.equal('a\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDb\t\n😀');
  });
});

describe('A feed', () => {
  const entry = {
    id: 'urn:uuid:1',
    title: HOSTILE,
    address: 'https://m.example/catalogue/1',
    published: AT,
    updated: AT,
    author: { name: HOSTILE, address: 'https://m.example/a' },
    category: { id: 'crm', name: HOSTILE },
    url: null,
    license: null,
    summary: HOSTILE,
    content: escapeXml('<p>x</p>'),
  };
  const feed = { title: 'New', address: 'https://m.example/f', page: 'https://m.example/catalogue' };

  it('changed when its latest entry changed, and always has a date', () => {
    const updatedOf = (text: string) => /<updated>(.*?)<\/updated>/.exec(text)?.[1];
    expect(updatedOf(atomText({ ...feed, entries: [entry, { ...entry, updated: LATER }, entry] }))).to.equal(
      LATER.toISOString(),
    );
    expect(updatedOf(atomText({ ...feed, entries: [] }))).to.equal('1970-01-01T00:00:00.000Z');
  });

  it('has HTML as text', () => {
    const text = atomText({ ...feed, entries: [entry] });
    expect(text).to.include('<content type="html">&lt;p&gt;x&lt;/p&gt;</content>');
    expect(text).not.to.include('<script');
  });

  it('says of an entry where to get it and its licence, if it has them', () => {
    expect(atomText({ ...feed, entries: [entry] })).not.to.match(/rel="related"|<rights>/);
    const url = 'https://ada.example/?a=1&b="><x/>';
    const text = atomText({ ...feed, entries: [{ ...entry, url, license: 'MIT & <more>' }] });
    expect(text).to.include('<link rel="related" href="https://ada.example/?a=1&amp;b=&quot;&gt;&lt;x/&gt;"/>');
    expect(text).to.include('<rights>MIT &amp; &lt;more&gt;</rights>');
  });

  it('has entries with a summary alone', () => {
    const { content: _, ...rest } = entry;
    expect(atomText({ ...feed, entries: [rest] })).to.include('</summary>\n</entry>');
  });
});

describe('Structured data', () => {
  const names = {
    address: 'https://m.example/catalogue/1',
    developer: { name: HOSTILE, address: 'https://m.example/catalogue/developers/ada' },
    trail: [{ name: HOSTILE, address: 'https://m.example/catalogue' }],
  };

  it('ends no script element, and says what was written', () => {
    const text = jsonLdOf(automation({ title: HOSTILE, description: HOSTILE }), names);
    expect(text).not.to.include('<');
    const { '@graph': graph } = JSON.parse(text) as { readonly '@graph': readonly { readonly name?: string }[] };
    expect(graph[0]?.name).to.equal(HOSTILE);
  });

  it('has a product with its offer, and the way to it', () => {
    const { '@graph': graph } = JSON.parse(jsonLdOf(automation(), names)) as { readonly '@graph': readonly object[] };
    const offer = { '@type': 'Offer', price: '9.90', priceCurrency: 'USD' };
    expect(graph[0]).to.nested.include({ '@type': 'Product', name: 'Sort my inbox', description: 'Sorts it.' });
    expect((graph[0] as { readonly offers: object }).offers).to.include(offer);
    expect(graph[0]).not.to.have.property('license');
    const items = [
      { '@type': 'ListItem', position: 1, name: HOSTILE, item: 'https://m.example/catalogue' },
      { '@type': 'ListItem', position: 2, name: 'Sort my inbox', item: 'https://m.example/catalogue/1' },
    ];
    expect(graph[1]).to.deep.equal({ '@type': 'BreadcrumbList', itemListElement: items });
  });

  it('has the address where to get it as that of the offer, and the licence', () => {
    const given = automation({ url: 'https://ada.example/sorter', license: 'MIT' });
    const { '@graph': graph } = JSON.parse(jsonLdOf(given, names)) as { readonly '@graph': readonly object[] };
    expect(graph[0]).to.deep.include({
      '@type': ['Product', 'CreativeWork'],
      url: names.address,
      license: { '@type': 'CreativeWork', name: 'MIT' },
    });
    expect(graph[0]).to.nested.include({ 'offers.url': 'https://ada.example/sorter' });
  });
});

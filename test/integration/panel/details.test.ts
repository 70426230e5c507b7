import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { refuseCrossSite } from '../../../adapters/web/cross-site.js';
import type { Context } from '../../../adapters/edge/context.js';
import { PASSWORD, startPanel } from '../../support/panel.js';
import { Visitor } from '../../support/panel-visitor.js';

const ADAPTERS = new URL('../../../../adapters/', import.meta.url);

describe('The templates of the pages', () => {
  it('escape everything but what they include, and drawings', () => {
    const files = readdirSync(ADAPTERS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.eta'));
    expect(files).to.include('web/views/layout.eta').and.have.length.greaterThan(30);
    for (const file of files) {
      const raw = readFileSync(new URL(file, ADAPTERS), 'utf8').matchAll(/<%~([^%]*)/g);
      const known = /^(include\('|it\.(?:body|html|offer\.html|jsonLd|picture)$|it\.head \?\? ''$|it\.icon\()/;
      for (const [, code = ''] of raw) expect(code.trim(), file).to.match(known);
    }
  });

  it('get HTML of people outside from Markdown alone', () => {
    const files = ['panel/', 'catalogue/'].flatMap((folder) =>
      readdirSync(new URL(folder, ADAPTERS), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => `${folder}${file}`),
    );
    const given = files.flatMap((file) => {
      const source = readFileSync(new URL(file, ADAPTERS), 'utf8');
      return Array.from(source.matchAll(/(?<!readonly )\bhtml: (\w+)/g), ([, by]) => by);
    });
    expect(given).to.have.length.greaterThan(2);
    expect([...new Set(given)]).to.deep.equal(['markdownToHtml']);
  });
});

describe('The session cookie of an encrypted place', () => {
  it('is taken away by the same name and attributes', async () => {
    const service = await startPanel({ PUBLIC_URL: 'https://market.example' });
    const ada = new Visitor(service.url);
    const headers = { Origin: 'https://market.example' };
    await ada.submit(
      new URL(await service.invite('ada')).pathname,
      { name: 'Ada', password: PASSWORD },
      { headers, withToken: false },
    );
    await ada.open('/panel/keys');
    const answer = await ada.submit('/panel/sign-out', {}, { headers });
    await service.close();
    expect(answer.headers.getSetCookie()).to.deep.equal([
      '__Host-panel-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure',
    ]);
  });
});

describe('A form of another place', () => {
  const refuses = (headers: object, encrypted: boolean) => {
    try {
      refuseCrossSite({ req: { headers }, socket: { encrypted } } as unknown as Context, { publicUrl: '' });
      return false;
    } catch {
      return true;
    }
  };

  it('is one of the same host without TLS, where there is TLS; a default port changes nothing', () => {
    expect(refuses({ origin: 'http://m.example', host: 'm.example' }, true)).to.equal(true);
    expect(refuses({ origin: 'http://m.example', host: 'm.example' }, false)).to.equal(false);
    expect(refuses({ origin: 'https://m.example', host: 'm.example:443' }, true)).to.equal(false);
    expect(refuses({ origin: 'https://m.example:444', host: 'm.example' }, true)).to.equal(true);
  });
});

import { expect } from 'chai';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { newCore, OPERATOR } from '../../../application/index.js';
import { readConfig } from '../../../composition/config/config.js';
import { createService } from '../../../composition/create-service.js';
import { Visitor } from '../../support/panel-visitor.js';
import { startPanel, type PanelService } from '../../support/panel.js';

const SVG = '<?xml version="1.0"?><!-- x --><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');
const PAGES = ['/docs', '/problems', '/problems/not-found', '/panel/sign-in', '/panel/nothing'];

describe('The brand of the marketplace', () => {
  let folder: string;
  let service: PanelService;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'marketplace-brand-'));
    writeFileSync(join(folder, 'logo.svg'), SVG);
    writeFileSync(join(folder, 'logo.png'), PNG);
    service = await startPanel({ BRAND_NAME: 'Robots & Söhne <b>', BRAND_LOGO: join(folder, 'logo.svg') });
  });
  after(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  const open = (path: string) => fetch(`${service.url}${path}`, { headers: { Accept: 'text/html' } });

  it('is on every page: the name in title and header, the logo as picture and icon', async () => {
    for (const path of PAGES) {
      const body = await (await open(path)).text();
      expect(body, path)
        .to.include(' · Robots &amp; Söhne &lt;b&gt;</title>')
        .and.include('<span>Robots &amp; Söhne &lt;b&gt;</span>')
        .and.match(/<img src="(?:\/panel|\/catalogue)?\/assets\/[\w-]+\/logo\.svg"/)
        .and.not.include('Automation Marketplace');
    }
  });

  it('has a logo that is kept for good, and that runs no script when it is opened by itself', async () => {
    const [, address = ''] = /<img src="([^"]+)"/.exec(await (await open('/docs')).text()) ?? [];
    for (const path of [address, '/favicon.ico']) {
      const logo = await open(path);
      expect([logo.status, logo.headers.get('content-type'), await logo.text()], path).to.deep.equal([
        200,
        'image/svg+xml',
        SVG,
      ]);
      expect(logo.headers.get('content-security-policy'), path)
        .to.include("default-src 'none'")
        .and.include('sandbox')
        .and.not.include('script');
      expect(logo.headers.get('x-content-type-options'), path).to.equal('nosniff');
    }
    expect((await open(address)).headers.get('cache-control')).to.include('immutable');
  });

  it('is the public name of no developer, nor is what looks like it', async () => {
    const storage = inMemoryStorage();
    const { token } = await newCore(storage).accounts.invite(OPERATOR, 'ada');
    const branded = await createService({ storage, brandName: 'Robots Ltd' });
    const { port } = (await branded.listen(0)).address() as AddressInfo;
    try {
      const ada = new Visitor(`http://127.0.0.1:${port}`);
      await ada.accept(`${ada.url}/panel/welcome/${token}`, 'ada@example.com');
      const answer = await ada.submit('/panel/account/profile', { publicName: 'R0B0TS Itd', website: '' });
      expect(answer.body).to.include('Public name is kept for the marketplace itself; choose another.');
    } finally {
      await branded.close();
    }
  });

  it('is read at the start: an SVG or PNG file up to 100 KiB, a name up to 60 characters', () => {
    const brandOf = (BRAND_LOGO: string) => {
      const { BRAND_NAME: name, BRAND_LOGO: logo } = readConfig({ BRAND_NAME: '\u{1F984}'.repeat(60), BRAND_LOGO });
      return { name, logo };
    };
    expect(brandOf(join(folder, 'logo.png'))).to.deep.equal({
      name: '\u{1F984}'.repeat(60),
      logo: { type: 'image/png', body: PNG },
    });
    writeFileSync(join(folder, 'large.svg'), `${SVG}${' '.repeat(100 * 1024)}`);
    writeFileSync(join(folder, 'page.svg'), '<html><svg></svg></html>');
    expect(() => brandOf(join(folder, 'large.svg'))).to.throw('BRAND_LOGO must name a file of at most 100 KiB');
    expect(() => brandOf(join(folder, 'page.svg'))).to.throw('BRAND_LOGO must name an SVG or PNG file; this one is');
    expect(() => brandOf(folder)).to.throw('BRAND_LOGO must name an SVG or PNG file that can be read');
  });
});

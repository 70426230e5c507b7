import { expect } from 'chai';
import { randomInt } from 'node:crypto';
import { startService, type TestService } from '../../support/service.js';
import { fewer, STORAGES } from '../../support/storages.js';
import { offer } from './hostile/ask.js';
import { DRAFT } from './hostile/row.js';
import { sendIllegalTexts, sendLegalTexts } from './texts.js';

for (const [storage, open] of Object.entries(STORAGES))
  describe(`Texts over ${storage}`, () => {
    let service: TestService;
    let key: string;
    const seed = randomInt(2 ** 31);

    before(async () => {
      service = await startService({ repositories: open() });
      key = await service.key();
    });
    after(() => service.close());

    const count = fewer(500, storage);
    it(`come back as they went, ${count} of them (seed ${seed})`, () =>
      sendLegalTexts(service, key, { numRuns: count, seed }));

    it('come back the same however JSON spells them', async () => {
      const title = 'Ünïcode "quoted" \\ / 😀 é e\u0301';
      const escaped = Array.from(
        { length: title.length },
        (_, i) => `\\u${title.charCodeAt(i).toString(16).padStart(4, '0')}`,
      ).join('');
      const created = await offer(
        service.url,
        key,
        JSON.stringify({ ...DRAFT, title: '' }).replace('""', `"${escaped}"`),
      );
      expect((JSON.parse(created.body) as { title: string }).title).to.equal(title);
    });

    it(`with what the contract refuses are refused (seed ${seed})`, () =>
      sendIllegalTexts(service, key, { numRuns: fewer(300, storage), seed }));
  });

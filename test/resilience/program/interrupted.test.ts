import { expect } from 'chai';
import { readdirSync, writeFileSync } from 'node:fs';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { sqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import { newPage } from '../../../domain/page.js';
import { Workplace } from '../../support/process.js';
import { draft } from '../../support/service/client.js';
import { stock } from '../../support/service/moving.js';

describe('A command that is interrupted', () => {
  let place: Workplace;
  before(async () => {
    place = await Workplace.open();
    await stock(place, 30_000);
  });
  after(() => place.clear());

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)
    for (const [words, codes] of [
      [['automations', 'export'], [code]],
      [['backup'], [code, 0, null]],
    ] as const)
      it(`by ${signal} leaves no part of its file: ${words.join(' ')}`, async () => {
        const name = `${words.join('-')}-${signal}`;
        const files = () => readdirSync(place.folder).filter((file) => file.startsWith(name));
        const command = place.begin([...words, place.path(name)]);
        while (files().length === 0) await setImmediate();
        command.kill(signal);
        const outcome = await command.ended;
        expect(outcome.code).to.be.oneOf([...codes]);
        // SQLite copies in one call: a signal that comes meanwhile, or after it, may be noticed only when the copy is
        // complete, or end the process while it exits (null).
        const complete = words[0] === 'backup' && files().includes(name) ? [name] : [];
        expect(files()).to.deep.equal(outcome.code === 0 ? [name] : complete);
      });

  it('has all that it imported in the audit, and says how to go on', async () => {
    const storage = sqliteStorage(place.database);
    const { automations } = storage;
    const [category] = await storage.categories.list();
    const total = async () => (await automations.list({ page: newPage({}) })).total;
    const before = await total();
    writeFileSync(
      place.path('many.jsonl'),
      `${JSON.stringify(draft(1, { category_id: category?.id ?? '' }))}\n`.repeat(100_000),
    );
    const command = place.begin(['automations', 'import', place.path('many.jsonl'), '--developer', 'ada']);
    while ((await total()) === before) await setTimeout(5);
    for (const signal of ['SIGINT', 'SIGINT'] as const) command.kill(signal);
    const { code, stderr } = await command.ended;
    expect({ code, stderr }).to.deep.equal({
      code: 130,
      stderr: 'ada is new here\n' + 'interrupted by SIGINT; import it again: it resumes, and nothing is stored twice\n',
    });
    const { stdout } = await place.run(['audit', '--json']);
    const [finished, started] = JSON.parse(stdout) as readonly { action: string; counts: { stored: number } | null }[];
    expect([finished?.action, started?.action]).to.deep.equal(['import-finished', 'import-started']);
    expect(finished?.counts?.stored)
      .to.equal((await total()) - before)
      .and.below(100_000);
    await storage.close();
  });
});

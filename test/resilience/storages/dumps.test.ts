import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from '../../../domain/ports.js';
import { automationIdOf, at, mixedOffers, store, USD } from '../../contracts/offers.js';
import { openPlace, type Place } from '../../support/place.js';
import { describePostgres, newPostgresPlace } from '../../support/postgres.js';
import { openRaw, type RawSql } from './raw-sql.js';
import { assertGoesOn, assertRight } from './right-store.js';

/** What a dump is made without; the restored store has none of it, or what was there before. */
const PARTS: Readonly<Record<string, (schema: string) => readonly string[]>> = {
  'all of it': () => [],
  'counts missing': (schema) => [`--exclude-table-data=${schema}.counts`],
  'words missing': (schema) => [`--exclude-table-data=${schema}.words`],
  'counts left over': (schema) => [`--exclude-table=${schema}.counts`],
  'words left over': (schema) => [`--exclude-table=${schema}.words`],
};

/** H1, by the commands that the documentation names. The service goes on meanwhile, which it should not. */
describePostgres('A PostgreSQL store that is restored from a dump while it is used', () => {
  let place: Extract<Place, { kind: 'PostgreSQL' }>;
  let raw: RawSql;
  let handles: readonly [Storage, Storage];
  let folder: string;
  let next = 2_000;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dumps-'));
    place = { kind: 'PostgreSQL', ...(await newPostgresPlace()) };
    handles = [openPlace(place), openPlace(place)];
    raw = openRaw(place);
    await handles[0].prepare({ currency: USD });
    await store(handles[0].automations, ...mixedOffers(350));
    dump('older');
    await store(handles[1].automations, ...mixedOffers(700).slice(350));
    for (const n of [3, 200, 300, 699])
      await handles[1].automations.withdraw(automationIdOf(n), { at: at(1), by: 'developer' });
    dump('newer');
  });
  after(async () => {
    for (const handle of handles) await handle.close();
    await raw.close();
    rmSync(folder, { recursive: true });
  });

  const dump = (state: string) => {
    for (const [part, options] of Object.entries(PARTS)) {
      const words = [`--dbname=${place.url}`, `--schema=${place.schema}`, '--format=custom', ...options(place.schema)];
      execFileSync('pg_dump', [...words, `--file=${join(folder, `${state}, ${part}`)}`]);
    }
  };
  /** A table that is left over keeps its schema from being dropped, which pg_restore reports at its end. */
  const restore = (file: string) => {
    const words = [`--dbname=${place.url}`, '--clean', '--if-exists', join(folder, file)];
    try {
      execFileSync('pg_restore', words, { stdio: 'pipe' });
    } catch (error) {
      expect(String(error)).to.match(/errors ignored on restore: [12]\n/);
    }
  };

  for (const [before_, after_] of [
    ['newer', 'older'],
    ['older', 'newer'],
  ] as const)
    for (const part of Object.keys(PARTS))
      it(`PostgreSQL: ${after_} over ${before_}, ${part}: no call fails, and all is right after a check`, async () => {
        restore(`${before_}, all of it`);
        for (const handle of handles) await handle.automations.list({ page: { number: 1, limit: 10 } });
        restore(`${after_}, ${part}`);
        await assertGoesOn(handles, next);
        next += 2;
        const found = await handles[0].check({ repair: true });
        expect(found.length > 0).to.equal(part !== 'all of it');
        const late = openPlace(place);
        for (const handle of [...handles, late]) await assertRight(raw, handle);
        expect(await handles[1].check({ repair: false })).to.deep.equal([]);
        await late.close();
      });
});

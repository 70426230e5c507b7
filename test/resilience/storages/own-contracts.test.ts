import { expect } from 'chai';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Currency, Storage } from '../../../application/index.js';
import { ScanningSearch } from '../../../application/index.js';
import { catalogueSearchContract, type OnEnd } from '../../contracts/index.js';
import { everyContract } from '../../support/every-contract.js';
import { jsonStorage } from '../../integration/own-storage/json-storage.js';

/** A disk in memory, where there is one: every write waits for the disk. */
const DISK = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

describe('A storage over a JSON file', () => {
  let folder = '';
  let files = 0;
  before(() => (folder = mkdtempSync(join(DISK, 'json-storage-'))));
  after(() => rmSync(folder, { recursive: true }));

  const unprepared = (onEnd: OnEnd) => {
    const file = join(folder, `${(files += 1)}.json`);
    const storage = jsonStorage(file);
    onEnd(async () => {
      await storage.close();
      rmSync(file, { force: true });
    });
    return storage;
  };
  const empty = async (onEnd: OnEnd): Promise<Storage> => {
    const storage = unprepared(onEnd);
    await storage.prepare({ currency: 'USD' as Currency });
    return storage;
  };

  everyContract({
    empty,
    unprepared: (onEnd) => {
      const storage = unprepared(onEnd);
      return [storage, storage];
    },
  });

  describe('with the search that reads everything', () => {
    catalogueSearchContract(async (onEnd) => {
      const { automations, archive } = await empty(onEnd);
      return { automations, search: new ScanningSearch(archive) };
    });
  });

  describe('after all of these', () => {
    it('has left no file behind', () => {
      expect(files).to.be.above(100);
      expect(readdirSync(folder)).to.deep.equal([]);
    });
  });
});

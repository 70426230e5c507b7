import { expect } from 'chai';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ON_TERMINAL, Workplace, type ServiceProcess } from '../../support/process.js';
import { Client, draft, slugOf } from '../../support/service/client.js';
import { CAN_MOUNT, mountTmpfs, unmount } from '../../support/tmpfs.js';

/** Fills a file system to its last byte. */
function fill(file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    for (let size = 64 * 1024; size >= 1; size = Math.floor(size / 2)) writeUntilFull(descriptor, Buffer.alloc(size));
  } finally {
    closeSync(descriptor);
  }
}

function writeUntilFull(descriptor: number, bytes: Buffer): void {
  try {
    while (writeSync(descriptor, bytes) === bytes.length);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

(CAN_MOUNT ? describe : describe.skip)('The service on a disk that is full (needs the right to mount)', () => {
  let disk: string;
  let place: Workplace;
  let service: ServiceProcess;
  let client: Client;
  before(async () => {
    disk = mountTmpfs(4 * 1024 * 1024);
    place = await Workplace.open({ ...ON_TERMINAL, DATA_DIR: disk });
    service = await place.serve();
    client = new Client(service.url, service.firstKey);
  });
  after(async () => {
    client.close();
    await place.clear();
    unmount(disk);
  });

  const ready = async () => {
    const response = await fetch(`${service.url}/readyz`);
    return [response.status, await response.text()];
  };
  const DETAIL = 'The storage has no room left; nothing was stored. Reading still works.';
  const create = (n: number) => client.post(draft(n, { description: 'x'.repeat(9_000), category_id: 'uncategorized' }));

  it('refuses creates as unavailable with the cause, stores none, and works with room again', async () => {
    expect(await create(0)).to.include({ status: 201 });
    fill(join(disk, 'filler'));
    let stored = 0;
    const refused = [];
    while (refused.length < 5) {
      const answer = await create(stored + 1);
      if (answer.status === 201) stored += 1;
      else refused.push(answer);
    }
    expect(refused.map(slugOf)).to.deep.equal(refused.map(() => 'unavailable'));
    expect(refused.at(-1)?.text).to.include(DETAIL);
    // The store is asked at most once a second.
    while ((await ready())[1] !== '{"status":"read-only"}') await setTimeout(50);
    expect(await ready()).to.deep.equal([200, '{"status":"read-only"}']);
    expect(await client.total()).to.equal(1 + stored);

    rmSync(join(disk, 'filler'));
    expect((await create(1_000)).status).to.equal(201);
    expect(await client.total()).to.equal(2 + stored);
    while ((await ready())[1] === '{"status":"read-only"}') await setTimeout(50);
    expect(await ready()).to.deep.equal([200, '{"status":"ready"}']);
    expect(await service.stop()).to.equal(0);
    const failure = service.logged().find((line) => line.includes('request failed'));
    expect(failure).to.match(/the SQLite store \S+marketplace\.db has no room left: database or disk is full/);
  });
});

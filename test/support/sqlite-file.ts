import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Returns the path of a file that does not exist yet. Its folder is removed at the end of the process. */
export function newSqliteFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'marketplace-sqlite-'));
  folders.push(folder);
  return join(folder, 'marketplace.db');
}

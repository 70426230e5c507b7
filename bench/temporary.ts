import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let root: string | undefined;

/** A folder that is gone with the process, however that ends. */
export function temporaryFolder(): string {
  root ??= newRoot();
  return mkdtempSync(join(root, 'store-'));
}

function newRoot(): string {
  const folder = mkdtempSync(join(tmpdir(), 'marketplace-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  return folder;
}

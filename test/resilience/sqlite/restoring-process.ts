/**
 * A process that restores a backup. It is killed in front of the nth call of the file system, or reports that call and
 * waits there until it has a byte to read.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [file = '', backup = '', stopAt = '', what = 'kill'] = process.argv.slice(2);
let left = Infinity;

const NAMES = [
  ...(['chmodSync', 'chownSync', 'closeSync', 'existsSync', 'fsyncSync', 'linkSync'] as const),
  ...(['openSync', 'renameSync', 'rmSync', 'statSync', 'writeFileSync'] as const),
];

function pause(name: string): void {
  if (what === 'kill') process.kill(process.pid, 'SIGKILL');
  fs.writeSync(1, name);
  fs.readSync(0, Buffer.alloc(1));
}

for (const name of NAMES) {
  const call = fs[name] as (...given: unknown[]) => unknown;
  const counted = (...given: unknown[]) => {
    if (left === 0 || name === stopAt) pause(name);
    left -= 1;
    return call(...given);
  };
  Object.assign(fs, { [name]: counted });
}
syncBuiltinESMExports();

const { restoreStore } = await import('../../../adapters/sql/sqlite/restore.js');
left = what === 'kill' ? Number(stopAt) : Infinity;
restoreStore(file, backup);
process.exit(0);

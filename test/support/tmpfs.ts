import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const mounted = new Set<string>();
process.once('exit', () => {
  for (const folder of mounted) spawnSync('umount', ['--lazy', folder]);
});

/** Whether this user may mount a file system, as root on Linux may. */
export const CAN_MOUNT = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

/** Mounts a file system in memory of this size, and returns its folder. */
export function mountTmpfs(bytes: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'tmpfs-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=0700`, 'tmpfs', folder]);
  mounted.add(folder);
  return folder;
}

/** Removes a mounted file system with everything on it. */
export function unmount(folder: string): void {
  execFileSync('umount', ['--lazy', folder]);
  rmdirSync(folder);
  mounted.delete(folder);
}

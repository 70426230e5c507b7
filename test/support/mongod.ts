import { execFileSync } from 'node:child_process';

export const HOW =
  'MongoDB; set MONGODB_URL to a replica set, or MONGOMS_SYSTEM_BINARY to a mongod, or put a mongod on the PATH';

/** A mongod of this machine, if there is one. */
export function mongodBinary(): string | undefined {
  if (process.env['MONGOMS_SYSTEM_BINARY']) return process.env['MONGOMS_SYSTEM_BINARY'];
  try {
    return execFileSync('which', ['mongod'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/** Whether suites run on MongoDB: where there is a server or a mongod, and where they must. */
export function hasMongo(): boolean {
  return Boolean(process.env['MONGODB_URL']) || mongodBinary() !== undefined || process.env['REQUIRE_MONGODB'] === '1';
}

/** The same server, for a client with whom a hundred calls at once may wait for connections on a busy machine. */
export function unhurried(url: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}waitQueueTimeoutMS=5000`;
}

/** The same server, for a client that tells of its commands. */
export function monitored(url: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}monitorCommands=true`;
}

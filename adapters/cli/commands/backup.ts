import { command } from '../command.js';
import { DONE, say, withSession } from '../session.js';

export const backup = command(
  {
    name: 'backup',
    summary: 'copies the SQLite store to a new file, also while the service runs',
    arguments: ['FILE'],
    options: {},
  },
  async ({ arguments: [file] }, host) => {
    await withSession(host, (session) => session.backup(file));
    say(host.stderr, `${file} is a copy of the store; "restore ${file}" puts it in the place of the store`);
    return DONE;
  },
);

export const restore = command(
  {
    name: 'restore',
    summary: 'puts a backup in the place of the SQLite store, which is kept; stop the service before',
    arguments: ['FILE'],
    options: {},
  },
  async ({ arguments: [file] }, host) => {
    const kept = await host.restore(file);
    say(host.stdout, `the store is now a copy of ${file}`);
    if (kept !== undefined) say(host.stdout, `the earlier store is kept as ${kept}`);
    return DONE;
  },
);

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
    say(host.stderr, `${file} is a copy of the store. To use it, move it to an empty DATA_DIR as marketplace.db`);
    return DONE;
  },
);

import { command } from './command.js';
import { DONE, say, withSession } from './host.js';

export const backup = command(
  {
    name: 'backup',
    summary: 'copies the SQLite store into a new file, as it is at one moment, also while the service runs',
    arguments: ['FILE'],
    options: {},
  },
  async ({ arguments: [file] }, host) => {
    await withSession(host, (session) => session.backup(file));
    say(host.stderr, `${file} is a store; as marketplace.db in an empty DATA_DIR it is served`);
    return DONE;
  },
);

import { OPERATOR, parseDeveloperId, SCOPES } from '../../domain/access.js';
import { AutomationImport } from './automation-import.js';
import { lineOf } from './automation-lines.js';
import { command } from './command.js';
import { exportLines } from './export.js';
import type { Fate } from './fate.js';
import { DONE, FAILED, say, withSession, type Session } from './host.js';
import { ImportReport } from './import-report.js';
import { ImportWithIds } from './import-with-ids.js';
import { openInput } from './input-file.js';
import { UsageError } from './signature.js';

/** Stores what is in a file, and tells of each line. */
type Importing = (session: Session, tell: (fate: Fate) => void) => { run(pieces: AsyncIterable<Uint8Array>): Promise<void> };

const importAutomations = command(
  {
    name: 'automations import',
    summary:
      'stores automations from a file (- is standard input) of JSON lines of {title, description, price, category_id}, ' +
      'or of what automations export wrote; run again, it stores none twice',
    arguments: ['FILE'],
    options: {
      developer: { value: 'NAME', summary: 'who offers them; each is a new automation' },
      'with-ids': { summary: 'instead: each is one of another store, and keeps its id, its date and its developer' },
    },
  },
  async ({ arguments: [path], options }, host) => {
    const importing = importingOf(options.developer, options['with-ids']);
    const file = await openInput(path, host, host.interruption?.());
    const report = new ImportReport(host, file.size);
    await withSession(host, (session) => importing(session, report.tell).run(file.pieces).finally(() => report.end())).finally(() =>
      file.close(),
    );
    return report.failed === 0 ? DONE : FAILED;
  },
);

function importingOf(developer: string | undefined, withIds: boolean): Importing {
  if (withIds) {
    if (developer !== undefined) throw new UsageError('--developer and --with-ids exclude each other: with ids each line names its developer');
    return ({ transfer }, tell) => new ImportWithIds(transfer.begin(), tell);
  }
  if (developer === undefined) throw new UsageError('--developer NAME is missing, or --with-ids for a file that automations export wrote');
  const caller = { developerId: parseDeveloperId(developer), scopes: SCOPES };
  return ({ marketplace }, tell) => new AutomationImport(marketplace, caller, tell);
}

const exportAutomations = command(
  {
    name: 'automations export',
    summary:
      'writes every automation on sale as a line of JSON, oldest first, into a new file or to standard output, also while the service runs; ' +
      'what is withdrawn, accounts, keys, idempotency keys and the audit are not in it',
    arguments: ['[FILE]'],
    options: {},
  },
  ({ arguments: [path] }, host) =>
    exportLines(
      async function* ({ transfer }) {
        for await (const automations of transfer.everything()) yield automations.map(lineOf);
      },
      path,
      host,
    ),
);

const withdraw = command(
  {
    name: 'automations withdraw',
    summary: 'takes one off the market, for good',
    arguments: ['ID'],
    options: { reason: { value: 'TEXT', summary: 'why; the audit command tells it' } },
  },
  async ({ arguments: [id], options: { reason } }, host) => {
    await withSession(host, ({ marketplace }) => marketplace.withdrawAutomation(OPERATOR, id, reason));
    say(host.stdout, `automation ${id} is withdrawn`);
    return DONE;
  },
);

export const automationCommands = [importAutomations, exportAutomations, withdraw];

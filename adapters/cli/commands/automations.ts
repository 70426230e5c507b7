import type { ImportSession } from '../../../application/automation-transfer.js';
import { OPERATOR, parseDeveloperId } from '../../../domain/access.js';
import { command, UsageError } from '../command.js';
import { DONE, FAILED, say, withSession, type Session } from '../session.js';
import { AUTOMATION_MEMBERS, DRAFT_MEMBERS, lineOf } from '../transfer/automation-lines.js';
import { exportLines } from '../transfer/export.js';
import { AutomationImport } from '../transfer/import.js';
import { ImportReport, type LineResult } from '../transfer/import-report.js';
import { ImportWithIds } from '../transfer/import-with-ids.js';
import { fileOf, openInput } from '../transfer/input-file.js';

/** One of the two kinds of import. */
interface ImportKind {
  /** The developer who offers all of them. */
  readonly developer?: string;
  readonly members: readonly string[];
  begin(
    session: Session,
    importing: ImportSession,
    report: (result: LineResult) => void,
  ): Pick<AutomationImport, 'run'>;
}

const importAutomations = command(
  {
    name: 'automations import',
    summary: 'stores automations from a file of JSON lines; a repeated run stores nothing twice',
    details:
      `Each line has ${DRAFT_MEMBERS.join(', ')}; - is standard input.\n` +
      'If lines fail, they are listed, the other lines are stored, and the exit code is 1.',
    arguments: ['FILE'],
    options: {
      developer: { value: 'NAME', summary: 'the developer who offers them; each line is a new automation' },
      'with-ids': { summary: 'instead: FILE comes from "automations export"; keeps ids, dates and developers' },
    },
  },
  async ({ arguments: [path], options }, host) => {
    const kind = kindOf(options.developer, options['with-ids']);
    const file = await openInput(path, host, host.interruption?.());
    const report = new ImportReport(host, file.size);
    const request = { developer: kind.developer, file: fileOf(path) };
    const run = async (session: Session, importing: ImportSession) => {
      try {
        await kind.begin(session, importing, report.add).run(file.pieces);
      } finally {
        report.end();
      }
    };
    try {
      await withSession(host, (session) =>
        session.transfer.import(OPERATOR, request, (importing) => run(session, importing)),
      );
    } finally {
      await file.close();
    }
    if (report.read === 0) throw new Error(emptyMessage(kind));
    return report.failed === 0 ? DONE : FAILED;
  },
);

function kindOf(developer: string | undefined, withIds: boolean): ImportKind {
  if (withIds) {
    if (developer === undefined) return WITH_IDS;
    throw new UsageError('--developer cannot be combined with --with-ids, where each line names its developer');
  }
  if (developer === undefined)
    throw new UsageError('--developer NAME is missing, or --with-ids for a file from "automations export"');
  return {
    developer: parseDeveloperId(developer),
    members: DRAFT_MEMBERS,
    begin: ({ marketplace }, importing, report) => new AutomationImport(marketplace, importing, report),
  };
}

const WITH_IDS: ImportKind = {
  members: AUTOMATION_MEMBERS,
  begin: (_session, importing, report) => new ImportWithIds(importing, report),
};

function emptyMessage({ members }: ImportKind): string {
  return `the file has no automation; expected is a JSON object on each line, with ${members.join(', ')}`;
}

const exportAutomations = command(
  {
    name: 'automations export',
    summary: 'writes every automation on sale as a line of JSON, oldest first',
    details:
      'Without FILE it writes to standard output. It works while the service runs.\n' +
      'Not included: withdrawn automations, accounts, keys, idempotency keys and the audit.',
    arguments: ['[FILE]'],
    options: {},
  },
  ({ arguments: [path] }, host) =>
    exportLines(
      async function* ({ transfer }) {
        for await (const automations of transfer.everything(OPERATOR)) yield automations.map(lineOf);
      },
      path,
      host,
    ),
);

const withdraw = command(
  {
    name: 'automations withdraw',
    summary: 'removes an automation from the market permanently; safe to repeat',
    arguments: ['ID'],
    options: { reason: { value: 'TEXT', summary: 'the reason, which the audit shows' } },
  },
  async ({ arguments: [id], options: { reason } }, host) => {
    await withSession(host, ({ marketplace }) => marketplace.withdrawAutomation(OPERATOR, id, reason));
    say(host.stdout, `automation ${id} is withdrawn`);
    return DONE;
  },
);

export const automationCommands = [importAutomations, exportAutomations, withdraw];

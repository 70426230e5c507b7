import type { Command } from '@commander-js/extra-typings';
import type { ImportSession } from '../../../application/automation-transfer.js';
import type { UseCases } from '../../../application/core.js';
import { OPERATOR, parseDeveloperId } from '../../../domain/access.js';
import { CREATE_MEMBERS } from '../../api/representations.js';
import { AUTOMATION_MEMBERS } from '../../api/schemas.js';
import { confirmName } from '../names.js';
import { exit, FAILED, UsageError } from '../program.js';
import { say, withSession, type Host } from '../session.js';
import { lineOf } from '../transfer/automation-lines.js';
import { exportLines } from '../transfer/export.js';
import { exportedAutomations, importLines, newAutomations, type LineStore } from '../transfer/import.js';
import { ImportReport } from '../transfer/import-report.js';
import { fileOf, openInput } from '../transfer/input-file.js';
import { readLines } from '../transfer/lines.js';
import { addList, addShow } from './automations-list.js';
import { addRevise } from './revise.js';

const IMPORT_HELP = `
FILE has a JSON object on each line, or a JSON array of them, with ${CREATE_MEMBERS.join(', ')};
- is standard input. If lines fail, the first 20 are listed, the others are stored, and the exit code is 1.`;

const EXPORT_HELP = `
Without FILE it writes to standard output. It works while the service runs.
Not included: withdrawn automations, accounts, keys, idempotency keys and the audit.`;

export function addAutomations(program: Command, host: Host): void {
  const automations = program.command('automations').description('what is on sale');
  addList(automations, host);
  addShow(automations, host);
  addImport(automations, host);
  automations
    .command('export [FILE]')
    .description('writes every automation on sale as a line of JSON, oldest first')
    .addHelpText('after', EXPORT_HELP)
    .action((path) => exportLines(({ transfer }) => exportedLines(transfer), path, host));
  automations
    .command('withdraw <ID>')
    .description('removes an automation from the market permanently; safe to repeat')
    .option('--reason <TEXT>', 'the reason, which the audit shows')
    .action(async (id, { reason }) => {
      await withSession(host, ({ marketplace }) => marketplace.withdrawAutomation(OPERATOR, id, reason));
      say(host.stdout, `automation ${id} is withdrawn`);
    });
  addRevise(automations, host);
}

/** Yields the lines in parts, of which none has more than one file. */
async function* exportedLines(transfer: UseCases['transfer']): AsyncGenerator<readonly string[]> {
  for await (const batch of transfer.everything(OPERATOR)) {
    const lines: string[] = [];
    for (const one of batch) {
      lines.push(lineOf(one, one.file ? await transfer.readFile(OPERATOR, one.id) : undefined));
      if (one.file) yield lines.splice(0);
    }
    yield lines;
  }
}

interface ImportOptions {
  readonly developer?: string | undefined;
  readonly withIds?: true | undefined;
  readonly new?: true | undefined;
}

function addImport(automations: Command, host: Host): void {
  automations
    .command('import <FILE>')
    .description('stores automations from a file; a repeated run stores nothing twice')
    .option('--developer <NAME>', 'the developer who offers them; each line is a new automation')
    .option('--with-ids', 'instead: FILE comes from "automations export"; keeps ids, dates and developers')
    .option('--new', 'confirms a new developer whose name is like that of another')
    .addHelpText('after', IMPORT_HELP)
    .action(async (path, options) => {
      checkOptions(options);
      const { size, pieces } = await openInput(path, host, host.interruption?.());
      const report = new ImportReport(host, size);
      try {
        const lines = await readLines(pieces);
        await withSession(host, async (session) => {
          const { developer } = options;
          const news = developer === undefined ? undefined : await confirmName(session, developer, options.new);
          const end = () => {
            report.end();
            if (news !== undefined && report.counts.stored > 0) say(host.stderr, news);
          };
          await session.transfer.import(OPERATOR, { developer, file: fileOf(path) }, (importing) =>
            importLines(lines, storeOf(options, importing), report.add).finally(end),
          );
        });
      } finally {
        await pieces.return(undefined);
      }
      if (report.read === 0) throw new Error(emptyMessage(options));
      if (report.failed > 0) exit(FAILED);
    });
}

function checkOptions({ developer, withIds }: ImportOptions): void {
  if (developer !== undefined) parseDeveloperId(developer);
  if (withIds && developer !== undefined)
    throw new UsageError('--developer cannot be combined with --with-ids, where each line names its developer');
  if (!withIds && developer === undefined)
    throw new UsageError('--developer NAME is missing, or --with-ids for a file from "automations export"');
}

function storeOf({ developer }: ImportOptions, importing: ImportSession): LineStore {
  return developer === undefined ? exportedAutomations(importing) : newAutomations(importing);
}

function emptyMessage({ withIds }: ImportOptions): string {
  const members = withIds ? AUTOMATION_MEMBERS : CREATE_MEMBERS;
  return `the file has no automation; expected is a JSON object on each line, with ${members.join(', ')}`;
}

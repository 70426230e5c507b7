import type { Command } from '@commander-js/extra-typings';
import type { ImportSession } from '../../../application/automation-transfer.js';
import { OPERATOR, parseDeveloperId } from '../../../domain/access.js';
import { LICENSE } from '../../../domain/automation.js';
import { checkText } from '../../../domain/text.js';
import { CREATE_MEMBERS } from '../../api/representations.js';
import { AUTOMATION_MEMBERS } from '../../api/schemas.js';
import { confirmName } from '../names.js';
import { exit, FAILED, UsageError } from '../program.js';
import { say, withSession, type Host, type Session } from '../session.js';
import { exportedAutomations, importLines, newAutomations, type LineStore } from '../transfer/import.js';
import { ImportReport } from '../transfer/import-report.js';
import { fileOf, openInput } from '../transfer/input-file.js';
import { readLines, type Lines } from '../transfer/lines.js';
import { requireCategory } from './automations-list.js';
import { isFolder, WorkflowFolder } from '../transfer/workflow-folder.js';

const IMPORT_HELP = `
FILE has a JSON object on each line, or a JSON array of them, with ${CREATE_MEMBERS.join(', ')};
- is standard input. If lines fail, the first 20 are listed, the others are stored, and the exit code is 1.

A folder has workflows of n8n, one in each file that ends with .json, also in its subfolders, as
"n8n export:workflow --backup --output=FOLDER" writes them. Names that begin with a dot are left out.
Each becomes an automation that costs nothing: the title is the name of the workflow, the description its
first sticky note, or else its nodes. Names of credentials and the like are removed from the file. Files
that are refused, such as those with a secret, are listed, the others are stored, and the exit code is 1.
A workflow that was changed since the last run is another automation; "automations attach" replaces a file.`;

interface ImportOptions {
  readonly developer?: string | undefined;
  readonly category?: string | undefined;
  readonly license?: string | undefined;
  readonly withIds?: true | undefined;
  readonly new?: true | undefined;
}

export function addImport(automations: Command, host: Host): void {
  automations
    .command('import <FILE>')
    .description('stores automations from a file or a folder; a repeated run stores nothing twice')
    .option('--developer <NAME>', 'the developer who offers them; each line or file is a new automation')
    .option('--category <ID>', 'for a folder: the category of all')
    .option('--license <TEXT>', 'for a folder: the licence of all, an SPDX identifier, or words')
    .option('--with-ids', 'instead: FILE comes from "automations export"; keeps ids, dates and developers')
    .option('--new', 'confirms a new developer whose name is like that of another')
    .addHelpText('after', IMPORT_HELP)
    .action(async (path, options) => {
      const folder = await isFolder(path);
      checkOptions(options, folder);
      const report = folder ? await importFolder(path, options, host) : await importFile(path, options, host);
      if (report.read === 0) throw new Error(emptyMessage(options));
      if (report.failed > 0) exit(FAILED);
    });
}

function checkOptions({ developer, category, license, withIds }: ImportOptions, isOfFolder: boolean | undefined): void {
  if (developer !== undefined) parseDeveloperId(developer);
  if (withIds && developer !== undefined)
    throw new UsageError('--developer cannot be combined with --with-ids, where each line names its developer');
  if (isOfFolder && withIds) throw new UsageError('--with-ids takes a file from "automations export", and no folder');
  if (!withIds && developer === undefined)
    throw new UsageError('--developer NAME is missing, or --with-ids for a file from "automations export"');
  if (isOfFolder && category === undefined) throw new UsageError('--category ID is missing, the category of all');
  if (isOfFolder === false && (category !== undefined || license !== undefined))
    throw new UsageError('--category and --license are for a folder; each line of a file has its own');
  if (license !== undefined)
    checkText(license, LICENSE, (_, detail) => {
      throw new UsageError(`--license ${detail}`);
    });
}

async function importFolder(path: string, options: ImportOptions, host: Host): Promise<ImportReport> {
  const { category = '', license } = options;
  const folder = await WorkflowFolder.open(path);
  const report = new ImportReport(host, folder.size, 'file');
  await withSession(host, async (session) => {
    await requireCategory(session, category);
    const lines = folder.lines(session.describeFile, { category, license }, host.interruption?.());
    await importAll({ path, lines, options, report, session, host });
  });
  return report;
}

async function importFile(path: string, options: ImportOptions, host: Host): Promise<ImportReport> {
  const { size, pieces } = await openInput(path, host, host.interruption?.());
  const report = new ImportReport(host, size);
  try {
    const lines = await readLines(pieces);
    await withSession(host, (session) => importAll({ path, lines, options, report, session, host }));
  } finally {
    await pieces.return(undefined);
  }
  return report;
}

interface Import {
  readonly path: string;
  readonly lines: Lines;
  readonly options: ImportOptions;
  readonly report: ImportReport;
  readonly session: Session;
  readonly host: Host;
}

async function importAll({ path, lines, options, report, session, host }: Import): Promise<void> {
  const { developer } = options;
  const news = developer === undefined ? undefined : await confirmName(session, developer, options.new);
  const end = () => {
    report.end();
    if (news !== undefined && report.counts.stored > 0) say(host.stderr, news);
  };
  await session.transfer.import(OPERATOR, { developer, file: fileOf(path) }, (importing) =>
    importLines(lines, storeOf(options, importing), report.add).finally(end),
  );
}

function storeOf({ developer }: ImportOptions, importing: ImportSession): LineStore {
  return developer === undefined ? exportedAutomations(importing) : newAutomations(importing);
}

function emptyMessage({ withIds }: ImportOptions): string {
  const members = withIds ? AUTOMATION_MEMBERS : CREATE_MEMBERS;
  return `the file has no automation; expected is a JSON object on each line, with ${members.join(', ')}`;
}

import type { Command } from '@commander-js/extra-typings';
import type { UseCases } from '../../../application/core.js';
import { OPERATOR } from '../../../domain/access.js';
import { say, withSession, type Host } from '../session.js';
import { lineOf } from '../transfer/automation-lines.js';
import { exportLines } from '../transfer/export.js';
import { addDownload } from './download.js';
import { addImport } from './automations-import.js';
import { addList, addShow } from './automations-list.js';
import { addAttach, addRevise } from './revise.js';

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
  addAttach(automations, host);
  addDownload(automations, host);
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

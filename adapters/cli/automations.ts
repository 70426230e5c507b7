import { OPERATOR, parseDeveloperId, SCOPES, type Caller } from '../../domain/access.js';
import { AutomationImport } from './automation-import.js';
import { command } from './command.js';
import { DONE, FAILED, say, withSession } from './host.js';
import { ImportReport } from './import-report.js';
import { openInput } from './input-file.js';

const importAutomations = command(
  {
    name: 'automations import',
    summary:
      'stores automations from a file (- is standard input) of JSON lines of {title, description, price, category_id}; ' +
      'run again, it stores none twice',
    arguments: ['FILE'],
    options: { developer: { value: 'NAME', required: true, summary: 'who offers them' } },
  },
  async ({ arguments: [path], options }, host) => {
    const caller: Caller = { developerId: parseDeveloperId(options.developer), scopes: SCOPES };
    const file = await openInput(path, host);
    const report = new ImportReport(host, file.size);
    await withSession(host, ({ marketplace }) =>
      new AutomationImport(marketplace, caller, report.tell).run(file.pieces).finally(() => report.end()),
    ).finally(() => file.close());
    return report.failed === 0 ? DONE : FAILED;
  },
);

const withdraw = command(
  {
    name: 'automations withdraw',
    summary: 'takes one off the market, for good',
    arguments: ['ID'],
    options: { reason: { value: 'TEXT', summary: 'why; noted in the store' } },
  },
  async ({ arguments: [id], options: { reason } }, host) => {
    await withSession(host, ({ marketplace }) => marketplace.withdrawAutomation(OPERATOR, id, reason));
    say(host.stdout, `automation ${id} is withdrawn`);
    return DONE;
  },
);

export const automationCommands = [importAutomations, withdraw];

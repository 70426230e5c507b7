import type { Command } from '@commander-js/extra-typings';
import { OPERATOR } from '../../../domain/access.js';
import { exit, FAILED } from '../program.js';
import { say, withSession, writeAndConfirm, type Host, type Session } from '../session.js';
import { OutputFile } from '../transfer/output-file.js';

const HELP = `
Without FILE it is written under its own name into the current folder; - is standard output. No file is
written over another. "automations show" says whether there is a file.`;

export function addDownload(automations: Command, host: Host): void {
  automations
    .command('download <ID> [FILE]')
    .description('writes the file of an automation on sale, as it is stored')
    .addHelpText('after', HELP)
    .action(async (id, path) => {
      const { name, content } = await withSession(host, (session) => readStored(session, id));
      if (path !== '-') await writeFile(path ?? name, content, host);
      else if (!(await writeAndConfirm(host.stdout, content))) exit(FAILED);
    });
}

/** @throws Error that says why there is no file. */
async function readStored({ records, transfer }: Session, id: string) {
  const { automation, withdrawn } = await records.read(OPERATOR, id);
  if (withdrawn !== undefined)
    throw new Error(`automation ${id} has no file any more: it is withdrawn, since ${withdrawn.at.toISOString()}`);
  const content = automation.file === null ? undefined : await transfer.readFile(OPERATOR, automation.id);
  if (automation.file === null || content === undefined) throw new Error(`automation ${id} has no file`);
  return { name: automation.file.name, content };
}

async function writeFile(path: string, content: Uint8Array, host: Host): Promise<void> {
  const file = await OutputFile.create(path);
  try {
    await file.write(content);
    await file.finish();
  } finally {
    await file.discard();
  }
  say(host.stdout, `${path} is written; ${content.length.toLocaleString('en-US')} bytes`);
}

import type { Command } from '@commander-js/extra-typings';
import { OPERATOR } from '../../../domain/access.js';
import type { Category } from '../../../domain/category.js';
import { say, withSession, type Host } from '../session.js';
import { printable } from '../terminal/printable.js';
import { MAX_FILE_MIB, readCategories } from '../transfer/category-file.js';
import { exportLines } from '../transfer/export.js';
import { fileOf, openInput } from '../transfer/input-file.js';
import { readLines } from '../transfer/lines.js';

const IMPORT_HELP = `
FILE has a JSON array of {"id", "name"}, or one such object on each line; - is standard input.
A file with any mistake is rejected as a whole.`;

export function addCategories(program: Command, host: Host): void {
  const categories = program.command('categories').description('the categories of automations');
  categories
    .command('import <FILE>')
    .description('adds and renames categories from a file')
    .addHelpText('after', IMPORT_HELP)
    .action(async (path) => {
      const list = await readFile(path, host);
      const { added, renamed, unchanged } = await withSession(
        host,
        (session) => session.categories.import(OPERATOR, list, fileOf(path)),
        'create',
      );
      say(host.stdout, `categories: ${added} added, ${renamed} renamed, ${unchanged} unchanged`);
    });
  categories
    .command('export [FILE]')
    .description('writes every category as a line of JSON, ordered by name')
    .addHelpText('after', '\nWithout FILE it writes to standard output. "categories import" takes the file.')
    .action((path) =>
      exportLines(
        async function* (session) {
          const all = await session.categories.list();
          yield all.map(({ id, name }) => printable(JSON.stringify({ id, name })));
        },
        path,
        host,
      ),
    );
  categories
    .command('remove <ID>')
    .description('removes a category in which nothing is on sale')
    .action(async (id) => {
      await withSession(host, (session) => session.categories.remove(OPERATOR, id));
      say(host.stdout, `the category ${printable(id)} is removed`);
    });
}

async function readFile(path: string, host: Host): Promise<readonly Category[]> {
  const { pieces } = await openInput(path, host);
  try {
    return await readCategories(await readLines(pieces, MAX_FILE_MIB));
  } finally {
    await pieces.return(undefined);
  }
}

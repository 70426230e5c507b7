import { byName, type Category } from '../../../domain/category.js';
import { command } from '../command.js';
import { DONE, FAILED, say, withSession, type Session } from '../session.js';
import { printable } from '../terminal/printable.js';
import { parseCategories } from '../transfer/category-file.js';
import { exportLines } from '../transfer/export.js';
import { readInput } from '../transfer/input-file.js';

const MAX_FILE_BYTES = 16 * 1024 * 1024;

const importCategories = command(
  {
    name: 'categories import',
    summary: 'adds and renames categories from a file',
    details:
      'FILE has a JSON array of {"id", "name"}, or one such object on each line; - is standard input.\n' +
      'A file with any mistake is rejected as a whole.',
    arguments: ['FILE'],
    options: {},
  },
  async ({ arguments: [path] }, host) => {
    const { categories, mistakes } = parseCategories(await readInput(path, host, MAX_FILE_BYTES));
    for (const mistake of mistakes) say(host.stderr, mistake);
    if (mistakes.length > 0) return FAILED;
    say(host.stdout, await withSession(host, (session) => save(categories, session), 'create'));
    return DONE;
  },
);

const exportCategories = command(
  {
    name: 'categories export',
    summary: 'writes every category as a line of JSON, ordered by name',
    details: 'Without FILE it writes to standard output. "categories import" takes the file.',
    arguments: ['[FILE]'],
    options: {},
  },
  ({ arguments: [path] }, host) =>
    exportLines(
      async function* ({ categories }) {
        const list = await categories.list();
        yield list.toSorted(byName).map(lineOf);
      },
      path,
      host,
    ),
);

export const categoryCommands = [importCategories, exportCategories];

function lineOf({ id, name }: Category): string {
  return printable(JSON.stringify({ id, name }));
}

async function save(categories: readonly Category[], { audit, categories: repository }: Session): Promise<string> {
  const names = new Map((await repository.list()).map(({ id, name }) => [id, name]));
  const renamed = categories.filter(({ id, name }) => names.has(id) && names.get(id) !== name).length;
  const added = await repository.save(categories);
  if (added + renamed > 0) await audit.record({ actor: 'operator', action: 'categories-imported' });
  return `categories: ${added} added, ${renamed} renamed, ${categories.length - added - renamed} unchanged`;
}

import { OPERATOR } from '../../../domain/access.js';
import type { Category } from '../../../domain/category.js';
import { command } from '../command.js';
import { DONE, FAILED, say, withSession, type Session } from '../session.js';
import { printable } from '../terminal/printable.js';
import { parseCategories } from '../transfer/category-file.js';
import { exportLines } from '../transfer/export.js';
import { fileOf, readInput } from '../transfer/input-file.js';

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
    say(host.stdout, await withSession(host, (session) => save(categories, fileOf(path), session), 'create'));
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
        yield (await categories.list()).map(lineOf);
      },
      path,
      host,
    ),
);

export const categoryCommands = [importCategories, exportCategories];

function lineOf({ id, name }: Category): string {
  return printable(JSON.stringify({ id, name }));
}

async function save(list: readonly Category[], file: string | undefined, { categories }: Session): Promise<string> {
  const { added, renamed, unchanged } = await categories.import(OPERATOR, list, file);
  return `categories: ${added} added, ${renamed} renamed, ${unchanged} unchanged`;
}

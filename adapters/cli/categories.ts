import { newCategory, type Category } from '../../domain/category.js';
import { DomainError } from '../../domain/errors.js';
import type { CategoryRepository } from '../../domain/ports.js';
import { command } from './command.js';
import { DONE, FAILED, say, withSession } from './host.js';
import { openInput, readAll } from './input-file.js';
import { BadInput, isObject, readJson, unknownMembers, withLineFeeds } from './json-input.js';

const LARGEST_FILE = 16 * 1024 * 1024;
const MEMBERS = ['id', 'name'];

const importCategories = command(
  {
    name: 'categories import',
    summary: 'adds and renames categories from a JSON array of {id, name}; a file with a mistake is refused, whole',
    arguments: ['FILE'],
    options: {},
  },
  async ({ arguments: [path] }, host) => {
    const file = await openInput(path, host);
    const bytes = await readAll(file, LARGEST_FILE).finally(() => file.close());
    const { categories, mistakes } = readCategories(bytes);
    for (const mistake of mistakes) say(host.stderr, mistake);
    if (mistakes.length > 0) return FAILED;
    say(host.stdout, await withSession(host, (session) => save(categories, session.categories)));
    return DONE;
  },
);

export const categoryCommands = [importCategories];

async function save(categories: readonly Category[], repository: CategoryRepository): Promise<string> {
  const names = new Map((await repository.list()).map(({ id, name }) => [id, name]));
  const renamed = categories.filter(({ id, name }) => names.has(id) && names.get(id) !== name).length;
  const added = await repository.save(categories);
  return `categories: ${added} added, ${renamed} renamed, ${categories.length - added - renamed} unchanged`;
}

interface Findings {
  readonly categories: Category[];
  readonly mistakes: string[];
}

function readCategories(bytes: Buffer): Findings {
  const findings: Findings = { categories: [], mistakes: [] };
  const items = readItems(bytes, findings);
  const numbers = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const number = index + 1;
    const mistakes = isObject(item) ? readCategory(item, findings.categories) : ['must be an object with id and name'];
    const id = isObject(item) && typeof item['id'] === 'string' ? item['id'] : `item ${number}`;
    const first = numbers.get(id) ?? number;
    numbers.set(id, first);
    if (first !== number) mistakes.push(`id stands in item ${first} already`);
    findings.mistakes.push(...mistakes.map((mistake) => `item ${number}: ${mistake}`));
  }
  return findings;
}

function readItems(bytes: Buffer, { mistakes }: Findings): readonly unknown[] {
  try {
    const items = readJson(bytes);
    if (Array.isArray(items)) return items;
    mistakes.push('the file must be a JSON array of {id, name}');
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    mistakes.push(`the file ${error.message}`);
  }
  return [];
}

/** Adds the category to the others, or answers what is wrong with it. */
function readCategory(item: Readonly<Record<string, unknown>>, categories: Category[]): string[] {
  const unknown = unknownMembers(item, MEMBERS);
  const mistakes = unknown === undefined ? [] : [unknown];
  try {
    categories.push(newCategory({ id: item['id'], name: withLineFeeds(item['name']) }));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    mistakes.push(...error.fields.map(({ field, detail }) => `${field} ${detail}`));
  }
  return mistakes;
}

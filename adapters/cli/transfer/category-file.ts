import { newCategory, type Category } from '../../../domain/category.js';
import { DomainError } from '../../../domain/errors.js';
import { BadInput, isObject, parseJson, textOf, unknownMembers, withLineFeeds } from './json-input.js';

/** The categories of a file, and every mistake in it. */
interface CategoryFile {
  readonly categories: Category[];
  readonly mistakes: string[];
}

/** A value of the file, or the reason why it cannot be read, and its name in messages. */
interface Item {
  readonly name: string;
  readonly value: unknown;
}

const MEMBERS = ['id', 'name'];

/** Reads a JSON array of {id, name}, or a line of JSON for each. */
export function parseCategories(bytes: Buffer): CategoryFile {
  const file: CategoryFile = { categories: [], mistakes: [] };
  const nameOfId = new Map<string, string>();
  const items = itemsOf(bytes, file.mistakes);
  for (const { name, value } of items) {
    const mistakes = addCategory(value, file.categories);
    const id = isObject(value) && typeof value['id'] === 'string' ? value['id'] : ` ${name}`;
    const first = nameOfId.get(id) ?? name;
    nameOfId.set(id, first);
    if (first !== name) mistakes.push(`id is the same as in ${first}`);
    file.mistakes.push(...mistakes.map((mistake) => `${name}: ${mistake}`));
  }
  if (items.length === 0 && file.mistakes.length === 0) file.mistakes.push(EMPTY);
  return file;
}

const EMPTY = 'the file has no category; expected is a JSON array of {"id", "name"}, or one such object on each line';

function itemsOf(bytes: Buffer, mistakes: string[]): readonly Item[] {
  try {
    const text = textOf(bytes);
    if (!text.trimStart().startsWith('[')) return linesOf(text);
    const items = parseJson(text) as readonly unknown[];
    return items.map((value, index) => ({ name: `item ${index + 1}`, value }));
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    mistakes.push(`the file ${error.message}`);
    return [];
  }
}

/** Skips blank lines, but counts them. */
function linesOf(text: string): readonly Item[] {
  const lines = text.split('\n').map((line, index) => ({ name: `line ${index + 1}`, line }));
  return lines.filter(({ line }) => line.trim() !== '').map(({ name, line }) => ({ name, value: valueOf(line) }));
}

function valueOf(line: string): unknown {
  try {
    return parseJson(line);
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    return error;
  }
}

/** Adds the category to the others, or returns its mistakes. */
function addCategory(item: unknown, categories: Category[]): string[] {
  if (item instanceof BadInput) return [item.message];
  if (!isObject(item)) return ['must be an object with id and name'];
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

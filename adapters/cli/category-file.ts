import { newCategory, type Category } from '../../domain/category.js';
import { DomainError } from '../../domain/errors.js';
import { BadInput, isObject, parseJson, textOf, unknownMembers, withLineFeeds } from './json-input.js';

/** What a file says, and everything that is wrong with it. */
export interface Findings {
  readonly categories: Category[];
  readonly mistakes: string[];
}

/** Something in the file that should be a category, or why it cannot be read, and how it is called in a message. */
interface Item {
  readonly name: string;
  readonly value: unknown;
}

const MEMBERS = ['id', 'name'];

/** The categories of a JSON array of {id, name}, or of JSON lines of it. */
export function readCategories(bytes: Buffer): Findings {
  const findings: Findings = { categories: [], mistakes: [] };
  const names = new Map<string, string>();
  const items = readItems(bytes, findings);
  for (const { name, value } of items) {
    const mistakes = readItem(value, findings.categories);
    const id = isObject(value) && typeof value['id'] === 'string' ? value['id'] : ` ${name}`;
    const first = names.get(id) ?? name;
    names.set(id, first);
    if (first !== name) mistakes.push(`id stands in ${first} already`);
    findings.mistakes.push(...mistakes.map((mistake) => `${name}: ${mistake}`));
  }
  if (items.length === 0 && findings.mistakes.length === 0) findings.mistakes.push('the file has no category in it');
  return findings;
}

function readItems(bytes: Buffer, { mistakes }: Findings): readonly Item[] {
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

/** Blank ones are skipped, but counted. */
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

/** Adds the category to the others, or answers what is wrong with it. */
function readItem(item: unknown, categories: Category[]): string[] {
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

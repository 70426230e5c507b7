import { newCategory, type Category } from '../../../domain/category.js';
import { DomainError } from '../../../domain/errors.js';
import { counted } from '../terminal/words.js';
import { BadInput, unknownMembers, withLineFeeds } from './json-input.js';
import { objectOf, type Line, type Lines } from './lines.js';

const MEMBERS = ['id', 'name'];
export const MAX_FILE_MIB = 16;
const MAX_LISTED = 20;
const EMPTY = 'the file has no category; expected is a JSON array of {"id", "name"}, or one such object on each line';

/** Returns the categories of a file. @throws Error that lists the mistakes in it. */
export async function readCategories(parts: Lines): Promise<readonly Category[]> {
  const categories: Category[] = [];
  const mistakes: string[] = [];
  const lineOfId = new Map<unknown, string>();
  const add = (line: Line) => {
    if (line.end > MAX_FILE_MIB * 1024 * 1024) throw new Error(`the file has more than ${MAX_FILE_MIB} MiB`);
    const { id, broken } = addCategory(line, categories);
    const first = lineOfId.get(id) ?? line.name;
    if (id !== undefined) lineOfId.set(id, first);
    if (first !== line.name) broken.push(`: id is the same as in ${first}`);
    mistakes.push(...broken.map((mistake) => line.name + mistake));
  };
  for await (const lines of parts) lines.forEach(add);
  if (mistakes.length === 0 && categories.length === 0) throw new Error(EMPTY);
  const more = mistakes.splice(MAX_LISTED).length;
  if (more > 0) mistakes.push(`and ${counted(more, 'more mistake')}`);
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'));
  return categories;
}

/** Adds the category of a line to the others, and returns its id and its mistakes, as they follow its name. */
function addCategory(line: Line, categories: Category[]): { readonly id: unknown; readonly broken: string[] } {
  try {
    const item = objectOf(line, MEMBERS);
    const unknown = unknownMembers(item, MEMBERS);
    const broken = unknown === undefined ? [] : [` ${unknown}`];
    const { id, name } = item;
    return { id, broken: [...broken, ...refusals({ id, name: withLineFeeds(name) }, categories)] };
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    return { id: undefined, broken: [` ${error.message}`] };
  }
}

function refusals(category: Parameters<typeof newCategory>[0], categories: Category[]): readonly string[] {
  try {
    categories.push(newCategory(category));
    return [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.fields.map(({ field, detail }) => `: ${field} ${detail}`);
  }
}

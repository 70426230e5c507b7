import type { Path } from '../json-text.js';

const DOCUMENT = new RegExp(
  '^(?:document|doc|spreadsheet|sheet|file|folder|folderToWatch|drive|database|base|table|page|block|calendar|board|' +
    'workflow|channel|chat|form|project|site|guild|assistant|collection)(?:_?id)?$',
  'i',
);
/** As in links to Google Docs and Drive. */
const IN_LINK = /\/(?:d|folders)\/([\w-]{20,80})/g;
/** Shorter ones are counters, or names of tabs. */
const MIN_ID = 6;

/** Returns the ids and links of documents, boards, channels and the like in a text of parameters. */
export function documentsIn(text: string, path: Path): readonly string[] {
  if (text.length < MIN_ID) return [];
  // A document that was chosen from a list stands in the member `value` of the parameter.
  const isChosen = path.length > 1 && path[path.length - 1] === 'value';
  const isId = !text.startsWith('=') && !/\s/.test(text);
  if (isId && DOCUMENT.test(String(path[path.length - (isChosen ? 2 : 1)]))) return [text];
  return text.includes('/') ? Array.from(text.matchAll(IN_LINK), ([, id = '']) => id) : [];
}

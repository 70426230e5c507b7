import type { Path } from './json-text.js';

const MAX_SEGMENT = 40;
const MAX_PLACE = 255;
/** What no storage, page or log takes everywhere. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Is called with a text, where it is, and whether it is the name of a member. */
export type VisitText = (text: string, path: Path, isName: boolean) => void;

/** Visits each text of a JSON value that is not too deep, the names of members as well. */
export function eachText(value: unknown, visit: VisitText, path: (string | number)[] = []): void {
  if (typeof value === 'string') visit(value, path, false);
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) {
      path.push(index);
      eachText(item, visit, path);
      path.pop();
    }
  else if (isObject(value))
    for (const name of Object.keys(value)) {
      path.push(name);
      visit(name, path, true);
      eachText(value[name], visit, path);
      path.pop();
    }
}

/** Returns the texts that `eachText` visits, in their order. */
export function textsOf(value: unknown): readonly string[] {
  const texts: string[] = [];
  eachText(value, (text) => texts.push(text));
  return texts;
}

/** Returns a text as it can be stored and shown, at most as long. */
export function printable(text: string, maxLength: number): string {
  const short = text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
  return short.replace(UNPRINTABLE, '\uFFFD');
}

/** Returns where a value is. An item of a list with a name is shown by it, as people know their steps and headers. */
export function placeOf(root: unknown, path: Path, isSecret: (text: string) => boolean): string {
  let value = root;
  const segments = path.map((key) => {
    const [holder, isItem] = [value, Array.isArray(value)];
    value = memberOf(holder, String(key));
    const name = isItem ? memberOf(value, 'name') : undefined;
    const shown = typeof name === 'string' && name !== '' ? name : String(key);
    return isSecret(shown) ? '…' : quoted(shown, shown === name);
  });
  return printable(segments.length === 0 ? 'the file' : segments.join(' / '), MAX_PLACE);
}

function quoted(text: string, isName: boolean): string {
  const short = printable(text, MAX_SEGMENT);
  return isName ? `"${short}"` : short;
}

export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Returns whether this is what JSON calls an object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}

import type { RemovedPart } from '../../../domain/file-facts.js';
import { countText } from '../../web/views/locales.js';
import { TEXTS } from '../texts/texts.js';

const KINDS: Readonly<Record<string, string>> = TEXTS.file.removedKinds;

/** Returns the parts that were removed from a file, as an address has them. */
export function removedText(removed: readonly RemovedPart[]): string {
  return removed.map(({ kind, count }) => `${kind}.${count}`).join(' ');
}

/** Returns the parts that an address names, for people. */
export function removedIn(text: string): readonly string[] {
  return text.split(' ').flatMap((part) => {
    const [, kind = '', count = ''] = /^([a-z-]+)\.([1-9][0-9]{0,6})$/.exec(part) ?? [];
    return Object.hasOwn(KINDS, kind) ? [`${KINDS[kind]} (${countText(Number(count))})`] : [];
  });
}

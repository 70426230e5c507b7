import { setImmediate } from 'node:timers/promises';
import { markdownToHtml, markdownToText } from '../http/views/markdown.js';
import type { AtomEntry } from './atom.js';
import type { ShownAutomation } from './shown-automation.js';
import type { CatalogueApp } from './options.js';
import { escapeXml } from './xml.js';

const MAX_SUMMARY_LENGTH = 300;
/** The contents of all entries. */
const MAX_CONTENT_BYTES = 1_000_000;

/**
 * Returns the entries of a feed: with their contents until these are too many bytes, from there on with their summaries
 * alone. Between two entries other requests have their turn.
 */
export async function feedEntries(
  { addresses }: Pick<CatalogueApp, 'addresses'>,
  shown: readonly ShownAutomation[],
  origin: string,
): Promise<readonly AtomEntry[]> {
  const entries: AtomEntry[] = [];
  let bytesLeft = MAX_CONTENT_BYTES;
  for (const { automation, developer, category } of shown) {
    const { id, title, description, createdAt, updatedAt } = automation;
    const content = bytesLeft > 0 ? escapeXml(markdownToHtml(description)) : '';
    bytesLeft -= Buffer.byteLength(content);
    entries.push({
      id: `urn:uuid:${id}`,
      title,
      address: origin + addresses.automation(id),
      published: createdAt,
      updated: updatedAt,
      author: { name: developer.name, address: origin + addresses.developer(developer.slug) },
      category,
      summary: markdownToText(description, MAX_SUMMARY_LENGTH),
      ...(bytesLeft > 0 && { content }),
    });
    await setImmediate();
  }
  return entries;
}

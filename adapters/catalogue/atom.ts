/** The text of an Atom feed (RFC 4287). */

import { element, escapeXml, XML_DECLARATION } from './xml.js';

/** One automation in a feed. */
export interface AtomEntry {
  /** An IRI that never changes. */
  readonly id: string;
  readonly title: string;
  readonly address: string;
  readonly published: Date;
  readonly updated: Date;
  readonly author: { readonly name: string; readonly address: string };
  readonly category: { readonly id: string; readonly name: string };
  /** Where to get it. */
  readonly url: string | null;
  readonly license: string | null;
  readonly file?: {
    readonly address: string;
    readonly name: string;
    readonly type: string;
    /** The number of bytes. */
    readonly size: number;
  };
  readonly summary: string;
  /** HTML, as XML writes it; undefined for an entry that has a summary alone. */
  readonly content?: string;
}

/** A feed; all addresses are absolute. */
export interface AtomFeed {
  readonly title: string;
  /** Where the feed is, which also is its id. */
  readonly address: string;
  /** The page of the same automations. */
  readonly page: string;
  readonly entries: readonly AtomEntry[];
}

/** The date of a feed without entries: it must have one, and it must stay the same. */
const NEVER = new Date(0);

export function atomText({ title, address, page, entries }: AtomFeed): string {
  const updated = entries.reduce((latest, entry) => (entry.updated > latest ? entry.updated : latest), NEVER);
  const parts = [
    element('id', address),
    element('title', title),
    element('updated', updated.toISOString()),
    link('self', address, 'application/atom+xml'),
    link('alternate', page, 'text/html'),
    ...entries.map(entryText),
  ];
  return `${XML_DECLARATION}<feed xmlns="http://www.w3.org/2005/Atom">\n${parts.join('\n')}\n</feed>\n`;
}

function entryText({
  id,
  title,
  address,
  published,
  updated,
  author,
  category,
  url,
  file,
  ...texts
}: AtomEntry): string {
  const parts = [
    element('id', id),
    element('title', title),
    element('published', published.toISOString()),
    element('updated', updated.toISOString()),
    link('alternate', address, 'text/html'),
    ...(url === null ? [] : [`<link rel="related" href="${escapeXml(url)}"/>`]),
    ...(file ? [enclosure(file)] : []),
    `<author>${element('name', author.name)}${element('uri', author.address)}</author>`,
    `<category term="${escapeXml(category.id)}" label="${escapeXml(category.name)}"/>`,
    ...(texts.license === null ? [] : [element('rights', texts.license)]),
    element('summary', texts.summary),
    ...(texts.content === undefined ? [] : [`<content type="html">${texts.content}</content>`]),
  ];
  return `<entry>\n${parts.join('\n')}\n</entry>`;
}

function enclosure({ address, name, type, size }: NonNullable<AtomEntry['file']>): string {
  const attributes = `type="${type}" length="${size}" title="${escapeXml(name)}"`;
  return `<link rel="enclosure" ${attributes} href="${escapeXml(address)}"/>`;
}

function link(relation: string, address: string, type: string): string {
  return `<link rel="${relation}" type="${type}" href="${escapeXml(address)}"/>`;
}

import { LRUCache } from 'lru-cache';
import type { Automation } from '../../domain/automation.js';
import type { AutomationList } from '../../application/marketplace.js';
import { entityTag, JSON_TYPE, type Content } from './conditional.js';
import { automationJson, automationListJson } from './representations.js';

/** In bytes: what is kept of automations that are read again and again. */
const MAX_PAGES = 1_000;
const MOST_KEPT = 16 * 1024 * 1024;

type Text = Content & Required<Pick<Content, 'length'>>;

/** A page as a text, and the revision of the store in which it was read. */
interface PageText extends Text {
  readonly revision: string;
}

/** The JSON texts of pages and automations with their entity tags, so that each is made once and not for each request. */
export class Texts {
  readonly #pages = new LRUCache<string, PageText>({ max: MAX_PAGES });
  readonly #automations = new Map<string, Text>();
  #size = 0;

  /** Returns the text of a page; makes it again when the store has another revision, or tells none. */
  ofPage(list: AutomationList, category = ''): Content {
    const { page, revision } = list;
    const key = `${page.number} ${page.limit} ${category}`;
    const kept = this.#pages.get(key);
    if (kept !== undefined && kept.revision === revision) return kept;
    const text = contentOf(automationListJson(list));
    if (revision !== undefined) this.#pages.set(key, { ...text, revision });
    return text;
  }

  /** An automation never changes. */
  ofAutomation(automation: Automation): Content {
    const kept = this.#automations.get(automation.id);
    if (kept !== undefined) return kept;
    const text = contentOf(automationJson(automation));
    this.#automations.set(automation.id, text);
    this.#size += text.length;
    for (const [id, { length }] of this.#automations) {
      if (this.#size <= MOST_KEPT) break;
      this.#automations.delete(id);
      this.#size -= length;
    }
    return text;
  }
}

export function contentOf(json: unknown): Text {
  const body = JSON.stringify(json);
  return { body, length: Buffer.byteLength(body), type: JSON_TYPE, etag: entityTag(body), caching: 'private, no-cache' };
}

import type { Automation, AutomationSummary } from '../../domain/automation.js';
import type { AutomationList } from '../../application/marketplace.js';
import { entityTag, JSON_TYPE, type Content } from './conditional.js';
import { automationJson, automationListJson } from './representations.js';

/** In bytes: what is kept of automations that are read again and again. */
const MOST_KEPT = 16 * 1024 * 1024;

type Text = Content & Required<Pick<Content, 'length'>>;

/** A page as a text, and of which page. */
interface PageText extends Text {
  readonly total: number;
  readonly number: number;
}

/** The JSON texts of what does not change, with their entity tags, so that each is made once and not for each request. */
export class Texts {
  readonly #pages = new WeakMap<readonly AutomationSummary[], PageText>();
  readonly #automations = new Map<string, Text>();
  #size = 0;

  /** A repository that gives out the same items again says that they have not changed. */
  ofPage(list: AutomationList): Content {
    const kept = this.#pages.get(list.items);
    if (kept?.total === list.total && kept.number === list.page.number) return kept;
    const text = { ...contentOf(automationListJson(list)), total: list.total, number: list.page.number };
    if (Object.isFrozen(list.items)) this.#pages.set(list.items, text);
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

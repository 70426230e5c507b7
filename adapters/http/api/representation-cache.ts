import { LRUCache } from 'lru-cache';
import type { AutomationList } from '../../../application/list-request.js';
import type { Automation } from '../../../domain/automation.js';
import { jsonContent, type Content } from '../conditional.js';
import { automationJson, automationListJson } from './representations.js';

const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Keeps the JSON of pages and automations with their entity tags, so that each is made once and not for each request.
 */
export class RepresentationCache {
  readonly #contents = new LRUCache<string, Content>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }) => body.length + 200,
  });

  /** Returns a page. One without a revision is not kept. */
  ofPage(list: AutomationList, category = ''): Content {
    const { page, revision } = list;
    if (revision === undefined) return jsonContent(automationListJson(list));
    const name = `${revision} ${page.number} ${page.limit} ${category}`;
    return this.#keep(name, () => jsonContent(automationListJson(list)));
  }

  /** Returns an automation. Each of its states has another `updatedAt`. */
  ofAutomation(automation: Automation): Content {
    const name = `${automation.id} ${automation.updatedAt.getTime()}`;
    return this.#keep(name, () => jsonContent(automationJson(automation)));
  }

  #keep(name: string, make: () => Content): Content {
    const kept = this.#contents.get(name);
    if (kept !== undefined) return kept;
    const content = make();
    this.#contents.set(name, content);
    return content;
  }
}

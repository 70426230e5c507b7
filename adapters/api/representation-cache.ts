import { LRUCache } from 'lru-cache';
import type { Automation } from '../../domain/automation.js';
import { jsonContent, type Content } from '../edge/conditional.js';
import { automationJson, type FileAddress } from './representations.js';

const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Keeps the JSON of automations with their entity tags: 10 µs of some 90 for each request, 160 µs with the longest
 * description. Pages are not kept here. It would bring 16 µs of 100; but a host's decorator that leaves out items and
 * passes the revision on would have one caller's page shown to another.
 */
export class RepresentationCache {
  readonly #contents = new LRUCache<string, Content>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }) => body.length + 200,
  });

  constructor(private readonly addressOf: FileAddress) {}

  /** Returns the JSON of an automation. Each of its states has another `updatedAt`. */
  of(automation: Automation): Content {
    const name = `${automation.id} ${automation.updatedAt.getTime()}`;
    const kept = this.#contents.get(name);
    if (kept !== undefined) return kept;
    const content = jsonContent(automationJson(automation, this.addressOf));
    this.#contents.set(name, content);
    return content;
  }
}

import { createHash } from 'node:crypto';
import type { Marketplace } from '../../application/marketplace.js';
import type { Caller } from '../../domain/access.js';
import type { UncheckedDraft } from '../../domain/automation.js';
import { DomainError, type ErrorKind } from '../../domain/errors.js';
import { importKey, type IdempotencyKey } from '../../domain/idempotency.js';
import { sentenceOf, storeFailed, whyOf, type Fate, type Unsettled } from './fate.js';
import { BadInput, isObject, readJson, unknownMembers, withLineFeeds } from './json-input.js';
import { LineCopies } from './line-copies.js';
import { isBlank, LineSplitter, LONGEST_LINE, type Line } from './lines.js';

const MOST_UNDER_WAY = 1_024;
const MEMBERS = ['title', 'description', 'price', 'category_id'];

/** Where the fault lies in the line; after any other the store is not to be trusted with the next one. */
const FAULTS_OF_A_LINE: readonly ErrorKind[] = ['invalid', 'conflict', 'idempotency-key-reused'];

/**
 * Stores the automations of a file of JSON lines in order, and each line once however often the file is imported: the digest of the
 * line and which copy of it this is make its idempotency key. Fates are told in the order of the lines.
 */
export class AutomationImport {
  readonly #copies = new LineCopies();
  readonly #underWay: Promise<Fate | Unsettled>[] = [];
  #stoppedAt: Unsettled | undefined;

  constructor(
    private readonly marketplace: Marketplace,
    private readonly caller: Caller,
    private readonly tell: (fate: Fate) => void,
  ) {}

  /** @throws what the file or the store failed with, once every line that was under way is told. */
  async run(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    const splitter = new LineSplitter();
    try {
      for await (const piece of pieces) {
        await this.#begin(splitter.lines(piece));
        if (this.#stoppedAt) break;
      }
      await this.#begin(splitter.last());
    } finally {
      await this.#settle(this.#underWay.length);
    }
    if (this.#stoppedAt) throw storeFailed(this.#stoppedAt);
  }

  /** Without a pause between lines, so that they reach the store together and are committed together. */
  async #begin(lines: Iterable<Line>): Promise<void> {
    for (const line of lines) {
      if (this.#stoppedAt) return;
      if (line.bytes === undefined || !isBlank(line.bytes)) this.#underWay.push(this.#fateOf(line));
      if (this.#underWay.length >= MOST_UNDER_WAY) await this.#settle(MOST_UNDER_WAY / 2);
    }
  }

  async #settle(count: number): Promise<void> {
    for (const underWay of this.#underWay.splice(0, count)) {
      const fate = await underWay;
      if ('is' in fate) this.tell(fate);
      else this.#stoppedAt ??= fate;
    }
  }

  async #fateOf(line: Line): Promise<Fate | Unsettled> {
    try {
      return { line, is: await this.#store(line.bytes) };
    } catch (error) {
      const isItsOwn = error instanceof BadInput || (error instanceof DomainError && FAULTS_OF_A_LINE.includes(error.kind));
      return isItsOwn ? { line, is: 'failed', why: whyOf(error) } : { line, error };
    }
  }

  async #store(bytes: Buffer | undefined): Promise<'stored' | 'already there'> {
    if (bytes === undefined) throw new BadInput(`is longer than ${LONGEST_LINE} bytes`);
    const item = readJson(bytes);
    if (!isObject(item)) throw new BadInput(`must be an object with ${MEMBERS.join(', ')}`);
    const unknown = unknownMembers(item, MEMBERS);
    if (unknown !== undefined) throw await this.#refusal(unknown, draftOf(item));
    const { replayed } = await this.marketplace.createAutomationOnce(this.caller, draftOf(item), this.#keyOf(bytes));
    return replayed ? 'already there' : 'stored';
  }

  #keyOf(bytes: Buffer): IdempotencyKey {
    const digest = createHash('sha256').update(bytes).digest();
    return importKey(digest.toString('base64url'), this.#copies.count(digest));
  }

  async #refusal(unknown: string, draft: UncheckedDraft): Promise<BadInput> {
    const broken = await this.marketplace.reviewAutomation(draft);
    return new BadInput([unknown, ...broken.map(sentenceOf)].join('; '));
  }
}

function draftOf(item: Readonly<Record<string, unknown>>): UncheckedDraft {
  return {
    title: withLineFeeds(item['title']),
    description: withLineFeeds(item['description']),
    price: item['price'],
    categoryId: item['category_id'],
  };
}

import { createHash } from 'node:crypto';
import type { ImportOutcome, ImportSession } from '../../../application/automation-transfer.js';
import type { Marketplace } from '../../../application/marketplace.js';
import { importKey, type IdempotencyKey } from '../../../domain/idempotency.js';
import { DRAFT_MEMBERS, draftOf, objectOf } from './automation-lines.js';
import { failed, resultOf, sentenceOf, storeFailed, type LineResult } from './import-report.js';
import { BadInput, unknownMembers } from './json-input.js';
import { isBlank, LineSplitter, type Line } from './lines.js';

const MAX_PENDING = 1_024;

/** A line whose outcome is not known, since the store failed. */
interface StoreFailure {
  readonly line: Line;
  readonly error: unknown;
}

/**
 * Stores the automations of a file of JSON lines, in order. A repeated import stores nothing twice: the idempotency key
 * of a line is made from its digest and from the number of equal lines so far. Reports in the order of the lines.
 */
export class AutomationImport {
  /** The number of equal lines by digest: 94 bytes for each line, 89 MiB at 1,000,000 lines (Node 20). */
  readonly #copies = new Map<string, number>();
  readonly #pending: Promise<LineResult | StoreFailure>[] = [];
  #failure: StoreFailure | undefined;

  constructor(
    private readonly marketplace: Pick<Marketplace, 'reviewAutomation'>,
    private readonly importing: ImportSession,
    private readonly report: (result: LineResult) => void,
  ) {}

  /** @throws the error of the file or of the store, after the report of every line that was pending. */
  async run(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    const splitter = new LineSplitter();
    try {
      for await (const piece of pieces) {
        await this.#begin(splitter.lines(piece));
        if (this.#failure) break;
      }
      await this.#begin(splitter.last());
    } finally {
      await this.#settle(this.#pending.length);
    }
    if (this.#failure) throw storeFailed(this.#failure.line, this.#failure.error);
  }

  /** Does not wait between lines, so that the store can commit many of them together. */
  async #begin(lines: Iterable<Line>): Promise<void> {
    for (const line of lines) {
      if (this.#failure) return;
      if (!isBlank(line)) this.#pending.push(this.#resultOf(line));
      if (this.#pending.length >= MAX_PENDING) await this.#settle(MAX_PENDING / 2);
    }
  }

  async #settle(count: number): Promise<void> {
    for (const pending of this.#pending.splice(0, count)) {
      const result = await pending;
      if ('outcome' in result) this.report(result);
      else this.#failure ??= result;
    }
  }

  async #resultOf(line: Line): Promise<LineResult | StoreFailure> {
    try {
      return { line, ...resultOf(await this.#store(line)) };
    } catch (error) {
      if (!(error instanceof BadInput)) return { line, error };
      this.importing.countUnreadable();
      return { line, ...failed(error) };
    }
  }

  async #store(line: Line): Promise<ImportOutcome> {
    const item = objectOf(line, DRAFT_MEMBERS);
    const draft = draftOf(item);
    const unknown = unknownMembers(item, DRAFT_MEMBERS);
    if (unknown !== undefined) {
      const broken = await this.marketplace.reviewAutomation(draft);
      throw new BadInput([unknown, ...broken.map(sentenceOf)].join('; '));
    }
    return this.importing.create(draft, this.#keyOf(line));
  }

  #keyOf({ bytes = Buffer.alloc(0) }: Line): IdempotencyKey {
    const digest = createHash('sha256').update(bytes).digest('base64url');
    const copy = (this.#copies.get(digest) ?? 0) + 1;
    this.#copies.set(digest, copy);
    return importKey(digest, copy);
  }
}

import type { ImportOutcome, ImportSession } from '../../../application/automation-transfer.js';
import type { UncheckedAutomation } from '../../../domain/imported-automation.js';
import { AUTOMATION_MEMBERS, automationOf, objectOf } from './automation-lines.js';
import { failed, resultOf, storeFailed, type LineResult } from './import-report.js';
import { BadInput, unknownMembers } from './json-input.js';
import { isBlank, LineSplitter, type Line } from './lines.js';

/** The number of lines that are stored in one write. */
const MAX_BATCH_SIZE = 500;

/** A line, and its content or the reason why it cannot be read. */
interface ParsedLine {
  readonly line: Line;
  readonly content: UncheckedAutomation | BadInput;
}

/** Stores the automations of a file that `automations export` wrote, unchanged. Reports in the order of the lines. */
export class ImportWithIds {
  readonly #batch: ParsedLine[] = [];

  constructor(
    private readonly session: ImportSession,
    private readonly report: (result: LineResult) => void,
  ) {}

  /** @throws the error of the file or of the store, after the lines before it are stored and reported. */
  async run(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    const splitter = new LineSplitter();
    try {
      for await (const piece of pieces) await this.#take(splitter.lines(piece));
      await this.#take(splitter.last());
    } finally {
      await this.#store();
    }
  }

  async #take(lines: Iterable<Line>): Promise<void> {
    for (const line of lines) {
      if (!isBlank(line)) this.#batch.push({ line, content: parse(line) });
      if (this.#batch.length >= MAX_BATCH_SIZE) await this.#store();
    }
  }

  async #store(): Promise<void> {
    const batch = this.#batch.splice(0);
    const [first] = batch;
    if (first === undefined) return;
    const readable = batch.flatMap(({ content }) => (content instanceof BadInput ? [] : [content]));
    for (let n = readable.length; n < batch.length; n += 1) this.session.countUnreadable();
    const outcomes = await this.session.importBatch(readable).catch((error: unknown) => {
      throw storeFailed(first.line, error);
    });
    const next = outcomes.values();
    for (const { line, content } of batch)
      this.report({
        line,
        ...(content instanceof BadInput ? failed(content) : resultOf(next.next().value as ImportOutcome)),
      });
  }
}

function parse(line: Line): UncheckedAutomation | BadInput {
  try {
    const item = objectOf(line, AUTOMATION_MEMBERS);
    const unknown = unknownMembers(item, AUTOMATION_MEMBERS);
    return unknown === undefined ? automationOf(item) : new BadInput(unknown);
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    return error;
  }
}

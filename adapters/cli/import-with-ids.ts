import type { Arrival, Arrivals } from '../../application/arrivals.js';
import type { UncheckedAutomation } from '../../domain/moved-automation.js';
import { readAutomation } from './automation-lines.js';
import { storeFailed, whyOf, type Fate } from './fate.js';
import { BadInput } from './json-input.js';
import { isBlank, LineSplitter, type Line } from './lines.js';

/** Lines stored in one write. */
const TOGETHER = 500;

/** A line, and what it says or why it cannot be read. */
interface Read {
  readonly line: Line;
  readonly content: UncheckedAutomation | BadInput;
}

/** Stores the automations of a file that `automations export` wrote, in order, as they are. Fates are told in the order of the lines. */
export class ImportWithIds {
  readonly #read: Read[] = [];

  constructor(
    private readonly arrivals: Arrivals,
    private readonly tell: (fate: Fate) => void,
  ) {}

  /** @throws what the file or the store failed with, once what came before is stored and told. */
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
      if (line.bytes === undefined || !isBlank(line.bytes)) this.#read.push({ line, content: read(line) });
      if (this.#read.length >= TOGETHER) await this.#store();
    }
  }

  async #store(): Promise<void> {
    const batch = this.#read.splice(0);
    const [first] = batch;
    if (first === undefined) return;
    const readable = batch.flatMap(({ content }) => (content instanceof BadInput ? [] : [content]));
    const arrivals = await this.arrivals.bringIn(readable).catch((error: unknown) => {
      throw storeFailed({ line: first.line, error });
    });
    const fates = arrivals.values();
    for (const { line, content } of batch) this.tell({ line, ...(content instanceof BadInput ? failed(content) : fateOf(fates.next().value)) });
  }
}

function read({ bytes }: Line): UncheckedAutomation | BadInput {
  try {
    return readAutomation(bytes);
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    return error;
  }
}

function fateOf(arrival: Arrival | undefined): Omit<Fate, 'line'> {
  if (arrival?.outcome === 'refused') return failed(arrival.error);
  return { is: arrival?.outcome === 'stored' ? 'stored' : 'already there' };
}

function failed(error: Error): Omit<Fate, 'line'> {
  return { is: 'failed', why: whyOf(error) };
}

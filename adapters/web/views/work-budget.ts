import type { MarkdownIt, Token } from 'markdown-it';

/** The work that a text may take, in units. A unit is a step of the parser or a token, about 2 microseconds. */
const BASE_UNITS = 500;
const UNITS_PER_CHARACTER = 3;
const MAX_UNITS = 8_000;

/** Parts and encodes a host: as much as a few steps. */
const UNITS_PER_ADDRESS = 8;
const CHARACTERS_PER_UNIT = 16;

/** Elements within elements. Deeper than 100, markdown-it leaves out the text. */
const MAX_DEPTH = 50;

/** Ends the work of the parser, which has no other way to stop. */
class OverBudget extends Error {}

/** The outcome of work with a limit. */
export interface Work<Result> {
  /** Undefined when the work was given up. */
  readonly result: Result | undefined;
  readonly units: number;
}

/**
 * Limits the work that a parser does for one text. A limit for each construct (cells, references, tokens) would leave
 * gaps: a mixture of them takes longest.
 */
export class WorkBudget {
  #used = 0;
  #limit = Infinity;

  /** Counts the work of a parser, by rules and subclasses such as plugins have. */
  constructor(markdown: MarkdownIt) {
    this.#countSteps(markdown);
    this.#countTokens(markdown);
    this.#countAddressesAndLabels(markdown);
    markdown.core.ruler.push('budget', ({ tokens }) => this.#countUses(tokens, 0));
  }

  /** Does what must be done for a text, without a pause, or gives up. */
  spend<Result>(text: string, work: () => Result): Work<Result> {
    this.#used = 0;
    this.#limit = Math.min(BASE_UNITS + UNITS_PER_CHARACTER * text.length, MAX_UNITS);
    try {
      return { result: work(), units: this.#used };
    } catch (error) {
      if (!(error instanceof OverBudget)) throw error;
      return { result: undefined, units: this.#used };
    }
  }

  #take(units: number): void {
    this.#used += units;
    if (this.#used > this.#limit) throw new OverBudget();
  }

  /** A rule in front of all others, which never matches: it is tried wherever another one is. */
  #countSteps({ block, inline }: MarkdownIt): void {
    const count = () => {
      this.#take(1);
      return false;
    };
    block.ruler.before('table', 'budget', count, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
    inline.ruler.before('text', 'budget', count);
  }

  #countTokens({ block, inline }: MarkdownIt): void {
    const take = () => this.#take(1);
    block.State = class extends block.State {
      override push(...token: Parameters<typeof block.State.prototype.push>): Token {
        take();
        return super.push(...token);
      }
    };
    inline.State = class extends inline.State {
      override push(...token: Parameters<typeof inline.State.prototype.push>): Token {
        take();
        return super.push(...token);
      }
    };
  }

  #countAddressesAndLabels(markdown: MarkdownIt): void {
    const { helpers } = markdown;
    const { parseLinkLabel } = helpers;
    const normalizeLink = markdown.normalizeLink.bind(markdown);
    markdown.normalizeLink = (address) => {
      const normal = normalizeLink(address);
      this.#take(UNITS_PER_ADDRESS + normal.length / CHARACTERS_PER_UNIT);
      return normal;
    };
    markdown.helpers = {
      ...helpers,
      parseLinkLabel: (state, start, disableNested) => {
        const end = parseLinkLabel(state, start, disableNested);
        this.#take(1 + ((end < 0 ? state.posMax : end) - start) / CHARACTERS_PER_UNIT);
        return end;
      },
    };
  }

  /** An address or a title of a reference is parsed once, and written wherever it is used. */
  #countUses(tokens: readonly Token[], depth: number): void {
    for (const { level, attrs, children } of tokens) {
      if (depth + level > MAX_DEPTH) throw new OverBudget();
      for (const [, value] of attrs ?? []) this.#take(String(value).length / CHARACTERS_PER_UNIT);
      if (children !== null) this.#countUses(children, depth + level);
    }
  }
}

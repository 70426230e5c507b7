/** The words of a search. Each of `words` must be a word of the text, and one word of the text begins with `prefix`. */
export interface SearchTerms {
  /** Distinct words, without the last one of the search. */
  readonly words: readonly string[];
  /** The last word of the search. */
  readonly prefix: string;
}

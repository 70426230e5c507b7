import { partitionPoint } from './partition-point.js';
import type { SearchTerms } from '../../domain/search-terms.js';
import { Shelf } from './shelf.js';

/** Which automations have which words: a shelf of their numbers for each word. */
export class WordIndex {
  readonly #shelves = new Map<string, Shelf>();
  /** All words, ascending: those with the same beginning are neighbours. */
  readonly #words: string[] = [];

  insert(number: number, words: Iterable<string>): void {
    for (const word of words) this.#shelf(word).insert(number);
  }

  remove(number: number, words: Iterable<string>): void {
    for (const word of words) this.#shelf(word).remove(number);
  }

  /** Returns a function that tells whether an automation has all terms, for the numbers below `count`. */
  finder({ words, prefix }: SearchTerms, count: number): (number: number) => boolean {
    const terms = [...words.map((word) => [this.#shelves.get(word)]), this.#beginningWith(prefix)];
    const termsFound = new Uint8Array(count);
    for (const [index, shelves] of terms.entries())
      for (const shelf of shelves)
        for (const number of shelf?.numbers ?? []) if (termsFound[number] === index) termsFound[number] = index + 1;
    return (number) => termsFound[number] === terms.length;
  }

  #beginningWith(prefix: string): readonly Shelf[] {
    const shelves: Shelf[] = [];
    const start = partitionPoint(this.#words, (word) => word < prefix);
    for (let index = start; this.#words[index]?.startsWith(prefix) === true; index += 1)
      shelves.push(this.#shelf(this.#words[index] as string));
    return shelves;
  }

  #shelf(word: string): Shelf {
    const known = this.#shelves.get(word);
    if (known !== undefined) return known;
    const shelf = new Shelf();
    this.#shelves.set(word, shelf);
    this.#words.splice(
      partitionPoint(this.#words, (one) => one < word),
      0,
      word,
    );
    return shelf;
  }
}

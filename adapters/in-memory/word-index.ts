import { partitionPoint } from './partition-point.js';
import type { Term } from '../../domain/search-terms.js';
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
  finder(terms: readonly Term[], count: number): (number: number) => boolean {
    const termsFound = new Uint8Array(count);
    for (const [index, term] of terms.entries())
      for (const shelf of this.#shelvesOf(term))
        for (const number of shelf.numbers) if (termsFound[number] === index) termsFound[number] = index + 1;
    return (number) => termsFound[number] === terms.length;
  }

  #shelvesOf({ text, isBeginning }: Term): readonly Shelf[] {
    const shelves: Shelf[] = [];
    if (!isBeginning) return [this.#shelves.get(text) ?? []].flat();
    const start = partitionPoint(this.#words, (word) => word < text);
    for (let index = start; this.#words[index]?.startsWith(text) === true; index += 1)
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

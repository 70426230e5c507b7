import type { DeveloperId } from '../../domain/access.js';
import type { CategoryId } from '../../domain/category.js';
import type { ScanQuery } from '../../domain/ports.js';
import type { Entry } from './entries.js';
import { partitionPoint } from './partition-point.js';

/** By how much a full shelf grows. A doubling one takes half as much memory again at a million automations. */
const GROWTH = 1.25;
const MIN_ROOM = 2;

/** Some of the automations: their numbers, ascending, in 4 bytes each. */
export class Shelf {
  #numbers = new Uint32Array(MIN_ROOM);
  #size = 0;

  get numbers(): Uint32Array {
    return this.#numbers.subarray(0, this.#size);
  }

  get size(): number {
    return this.#size;
  }

  insert(number: number): void {
    if (this.#size === this.#numbers.length) this.#grow();
    const index = this.#countBelow(number);
    this.#numbers.copyWithin(index + 1, index, this.#size);
    this.#numbers[index] = number;
    this.#size += 1;
  }

  remove(number: number): void {
    const index = this.#countBelow(number);
    this.#numbers.copyWithin(index, index + 1, this.#size);
    this.#size -= 1;
  }

  /** Returns at most `limit` numbers, newest first, after the newest `skip` ones. */
  page(skip: number, limit: number): readonly number[] {
    const end = Math.max(0, this.#size - skip);
    return Array.from(this.#numbers.subarray(Math.max(0, end - limit), end)).reverse();
  }

  /** Returns at most `limit` numbers, oldest first, after the oldest `skip` ones. */
  slice(skip: number, limit: number): readonly number[] {
    return Array.from(this.numbers.subarray(skip, skip + limit));
  }

  /** Returns at most `limit` numbers in this order: the first ones, or those after a number. */
  part(order: ScanQuery['order'], limit: number, after?: number): readonly number[] {
    if (order === 'newest-first')
      return this.page(after === undefined ? 0 : this.#size - this.#countBelow(after), limit);
    return this.slice(after === undefined ? 0 : this.#countBelow(after + 1), limit);
  }

  /** Returns how many numbers are below this one. */
  #countBelow(number: number): number {
    return partitionPoint(this.numbers, (one) => one < number);
  }

  #grow(): void {
    const larger = new Uint32Array(Math.ceil(this.#size * GROWTH));
    larger.set(this.#numbers);
    this.#numbers = larger;
  }
}

/** Returns the names of the shelves on which an automation belongs. */
export function shelvesOf({ categoryId, developerId, withdrawn }: Entry): readonly string[] {
  const status = withdrawn ? 'withdrawn' : 'on-sale';
  const names = [shelfOf('all'), shelfOf('all', developerId), shelfOf(status), shelfOf(status, developerId)];
  return withdrawn ? names : [...names, categoryShelf(categoryId)];
}

export function shelfOf(status: ScanQuery['status'] | 'all' = 'all', developerId?: DeveloperId): string {
  return developerId === undefined ? status : `${status} of ${developerId}`;
}

export function categoryShelf(id: CategoryId): string {
  return `in ${id}`;
}

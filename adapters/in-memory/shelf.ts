import { partitionPoint } from '../../domain/partition-point.js';
import type { ScanQuery } from '../../domain/ports.js';

/** Some of the automations: their numbers, ascending. */
export class Shelf {
  readonly #numbers: number[] = [];

  get numbers(): readonly number[] {
    return this.#numbers;
  }

  get size(): number {
    return this.#numbers.length;
  }

  insert(number: number): void {
    this.#numbers.splice(this.#countBelow(number), 0, number);
  }

  remove(number: number): void {
    this.#numbers.splice(this.#countBelow(number), 1);
  }

  /** Returns at most `limit` numbers, newest first, after the newest `skip` ones. */
  page(skip: number, limit: number): readonly number[] {
    const end = Math.max(0, this.size - skip);
    return this.#numbers.slice(Math.max(0, end - limit), end).reverse();
  }

  /** Returns at most `limit` numbers, oldest first, after the oldest `skip` ones. */
  slice(skip: number, limit: number): readonly number[] {
    return this.#numbers.slice(skip, skip + limit);
  }

  /** Returns at most `limit` numbers in this order: the first ones, or those after a number. */
  part(order: ScanQuery['order'], limit: number, after?: number): readonly number[] {
    if (order === 'newest-first')
      return this.page(after === undefined ? 0 : this.size - this.#countBelow(after), limit);
    const start = after === undefined ? 0 : this.#countBelow(after + 1);
    return this.#numbers.slice(start, start + limit);
  }

  #countBelow(number: number): number {
    return partitionPoint(this.#numbers, (one) => one < number);
  }
}

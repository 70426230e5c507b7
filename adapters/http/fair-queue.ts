/** What waits, one after the other within a subject, and the subjects in turn: who has much waiting keeps nobody else waiting. */
export class FairQueue<Item> {
  /** In the order of their turns. */
  readonly #waiting = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get subjects(): number {
    return this.#waiting.size;
  }

  waitingOf(subject: string): number {
    return this.#waiting.get(subject)?.length ?? 0;
  }

  add(subject: string, item: Item): void {
    this.#size += 1;
    const waiting = this.#waiting.get(subject);
    if (waiting === undefined) this.#waiting.set(subject, [item]);
    else waiting.push(item);
  }

  /** The first of the subject whose turn it is, which goes to the end of the line. */
  next(): Item | undefined {
    for (const [subject, items] of this.#waiting) {
      const item = items.shift();
      this.#size -= 1;
      if (items.length === 0) this.#waiting.delete(subject);
      else if (this.#waiting.size > 1) this.#goToTheEnd(subject, items);
      return item;
    }
    return undefined;
  }

  #goToTheEnd(subject: string, items: Item[]): void {
    this.#waiting.delete(subject);
    this.#waiting.set(subject, items);
  }
}

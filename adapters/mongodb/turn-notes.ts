import type { Db } from 'mongodb';
import { collectionsOf, type Collections, type TurnNoteDocument } from './documents.js';
import { reading, WITHIN } from './operations.js';

/** In milliseconds: for how long the server holds a read open in which there is nothing new. */
const HELD_OPEN = 200;

export type TurnNote = Omit<TurnNoteDocument, '_id'>;

/**
 * What processes that add at the same time tell one another. All are told it in one order, and as soon as it is stored
 * (https://www.mongodb.com/docs/manual/core/tailable-cursors/). Old notes give way to new ones.
 */
export class TurnNotes {
  readonly #notes: Collections['turnNotes'];

  constructor(db: Db) {
    this.#notes = collectionsOf(db).turnNotes;
  }

  async add(note: TurnNote): Promise<void> {
    await this.#notes.insertOne(note as TurnNoteDocument, WITHIN);
  }

  /**
   * Tells all that there are, the oldest first, and those to come, as long as it is to go on. There must be one to
   * begin with.
   */
  async follow(tell: (note: TurnNote) => void, goesOn: () => boolean): Promise<void> {
    const cursor = this.#notes.find({}, { tailable: true, awaitData: true, maxAwaitTimeMS: HELD_OPEN, ...WITHIN });
    try {
      while (goesOn()) {
        const note = await cursor.tryNext();
        if (note !== null) tell(note);
        else if (cursor.id?.isZero()) throw new Error('there is nothing to follow');
      }
    } finally {
      await cursor.close().catch(() => undefined);
    }
  }

  async last(): Promise<Pick<TurnNoteDocument, '_id' | 'by'> | null> {
    return reading((signal) =>
      this.#notes.findOne({}, { sort: { $natural: -1 }, projection: { by: 1 }, ...WITHIN, signal }),
    );
  }
}

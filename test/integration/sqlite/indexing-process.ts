/** A process that builds the index of words, and says so at its first part. */
import { setTimeout } from 'node:timers/promises';
import { SqliteDatabase } from '../../../adapters/sqlite/index.js';

const database = new SqliteDatabase(process.argv[2] ?? '');
await database.prepareWords();
const indexed = database.prepare('SELECT count(*) FROM words_docsize').raw();
while ((indexed.get() as [number])[0] === 0) await setTimeout(1);
process.send?.('building');

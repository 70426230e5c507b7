/** A process that writes the words of a store in the background, and says so at its first part. */
import { setTimeout } from 'node:timers/promises';
import { mongoStorage, newMongoClient } from '../../../adapters/mongodb/index.js';
import { USD } from '../../contracts/offers.js';

const db = newMongoClient(process.argv[2] ?? '').db();
await mongoStorage(db).prepare({ currency: USD });
while ((await db.collection('automations_v2').findOne({ words: { $exists: true } })) === null) await setTimeout(1);
process.send?.('building');

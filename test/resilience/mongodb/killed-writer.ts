/**
 * A process that is killed inside a transaction: `node killed-writer.js URL DATABASE ACTION COUNT`. It ends itself by
 * SIGKILL when so many commands of the transaction were answered, before it sends the next one.
 */
import { mongoStorage, newMongoClient } from '../../../adapters/mongodb/index.js';
import { monitored } from '../../support/mongod.js';
import { ACTIONS, type Action } from './killed-actions.js';

const [url = '', database = '', action = '', count = ''] = process.argv.slice(2);
const client = newMongoClient(monitored(url));
const inTransaction = new Set<number>();
let answered = 0;
client.on('commandStarted', ({ requestId, command }) => {
  if (command['autocommit'] === false) inTransaction.add(requestId);
});
client.on('commandSucceeded', ({ requestId }) => {
  if (inTransaction.has(requestId) && (answered += 1) === Number(count)) process.kill(process.pid, 'SIGKILL');
});
await ACTIONS[action as Action].act(mongoStorage(client.db(database)));
process.exit(1);

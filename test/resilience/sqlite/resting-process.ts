/** A process that adds an automation to a store, reports its id, and keeps the store open until it is killed. */
import { randomUUID } from 'node:crypto';
import { sqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import type { AutomationId } from '../../../domain/automation.js';
import { automation, USD } from '../../contracts/offers.js';

const storage = sqliteStorage(process.argv[2] ?? '');
await storage.prepare({ currency: USD });
const id = randomUUID() as AutomationId;
await storage.automations.add([{ automation: automation(1, { id }) }]);
process.send?.(id);
process.on('message', () => undefined);

/** A process that adds an automation to a store, does not close it, and has nothing else to do. */
import { randomUUID } from 'node:crypto';
import { sqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import type { AutomationId } from '../../../domain/automation.js';
import { parseCurrency } from '../../../domain/currency.js';
import { automation } from '../../contracts/offers.js';

const storage = sqliteStorage(process.argv[2] ?? '');
await storage.prepare({ currency: parseCurrency(process.argv[3] ?? 'USD') });
await storage.automations.add([{ automation: automation(1, { id: randomUUID() as AutomationId }) }]);
process.channel?.unref();

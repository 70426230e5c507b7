/** A process that adds an automation to a store, does not close it, and has nothing else to do. */
import { randomUUID } from 'node:crypto';
import { prepareSqlite, SqliteAutomationRepository, SqliteDatabase } from '../../../adapters/sqlite/index.js';
import type { AutomationId } from '../../../domain/automation.js';
import { parseCurrency } from '../../../domain/currency.js';
import { automation } from '../../contracts/offers.js';

const database = new SqliteDatabase(process.argv[2] ?? '');
await prepareSqlite(database, { currency: parseCurrency(process.argv[3] ?? 'USD') });
const automations = new SqliteAutomationRepository(database);
await automations.add([{ automation: automation(1, { id: randomUUID() as AutomationId }) }]);
process.channel?.unref();

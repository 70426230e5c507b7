/** A process that adds an automation to a store, does not close it, and has nothing else to do. */
import { randomUUID } from 'node:crypto';
import { SqliteAutomationRepository, SqliteDatabase } from '../../../adapters/sqlite/index.js';
import type { AutomationId } from '../../../domain/automation.js';
import { automation } from '../../contracts/offers.js';

const automations = new SqliteAutomationRepository(new SqliteDatabase(process.argv[2] ?? ''));
await automations.add([{ automation: automation(1, { id: randomUUID() as AutomationId }) }]);
process.channel?.unref();

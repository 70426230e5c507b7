import { join } from 'node:path';
import { InMemoryAutomationRepository } from '../../adapters/in-memory/index.js';
import type { AutomationId } from '../../domain/automation.js';
import { parseCurrency } from '../../domain/currency.js';
import type { AutomationRepository } from '../../domain/ports.js';
import { openPlace, type Place } from '../../test/support/place.js';
import { newPostgresPlace } from '../../test/support/postgres.js';
import { inBatches, newAutomations, newCategories, randomNumbers } from '../catalogue.js';
import { temporaryFolder } from '../temporary.js';

export const CATEGORIES = newCategories(16);

export interface Store {
  readonly size: number;
  readonly automations: AutomationRepository;
  close(): void | Promise<void>;
}

interface Storage {
  readonly name: string;
  /** How many calls make a measurement long enough for the clock. */
  readonly calls: number;
  open(): Omit<Store, 'size'> | Promise<Omit<Store, 'size'>>;
}

export const STORAGES: readonly Storage[] = [
  {
    name: 'memory',
    calls: 1000,
    open: () => ({ automations: new InMemoryAutomationRepository(), close: () => undefined }),
  },
  { name: 'SQLite', calls: 40, open: () => open({ kind: 'SQLite', file: join(temporaryFolder(), 'pages.db') }) },
  { name: 'PostgreSQL', calls: 8, open: async () => open({ kind: 'PostgreSQL', ...(await newPostgresPlace()) }) },
];

/** Which of so many automations are withdrawn, by their places in the order of storing. */
export const WITHDRAWALS: Readonly<Record<string, (size: number) => readonly number[]>> = {
  none: () => [],
  '1 %': (size) => oneOfEach(100, size),
  '10 %': (size) => oneOfEach(10, size),
  'newest 1 %': (size) => Array.from({ length: Math.floor(size / 100) }, (_, place) => size - 1 - place),
};

function oneOfEach(each: number, size: number): readonly number[] {
  const random = randomNumbers(size);
  return Array.from({ length: Math.floor(size / each) }, (_, block) => block * each + Math.floor(random() * each));
}

const BATCH = 2000;

/** A store of so many automations, added in batches, from which some are withdrawn again. */
export async function fill(storage: Storage, size: number, withdrawn: readonly number[]): Promise<Store> {
  const store = { size, ...(await storage.open()) };
  const ids: AutomationId[] = [];
  for (const batch of inBatches(newAutomations(size, CATEGORIES), BATCH)) {
    await store.automations.add(batch.map((automation) => ({ automation })));
    ids.push(...batch.map(({ id }) => id));
  }
  const withdrawal = { by: 'developer', at: new Date() } as const;
  for (const place of withdrawn) await store.automations.withdraw(ids[place] as AutomationId, withdrawal);
  return store;
}

async function open(place: Place): Promise<Omit<Store, 'size'>> {
  const storage = openPlace(place);
  await storage.prepare({ currency: parseCurrency('USD') });
  return { automations: storage.automations, close: () => storage.close() };
}

/**
 * A process that changes and lists a store until it is killed:
 * `node market-worker.js PLACE NAME CATEGORY...`. It prints a line before each call and one after it.
 */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { newUuid } from '../../../application/defaults.js';
import type { DeveloperId } from '../../../domain/access.js';
import type { AuditEntryId } from '../../../domain/audit.js';
import type { AutomationId } from '../../../domain/automation.js';
import type { CategoryId } from '../../../domain/category.js';
import { DomainError } from '../../../domain/errors.js';
import { auditEntry, offer } from '../../contracts/offers.js';
import type { Call, CallEnd } from './market-calls.js';
import { openPlace, type Place } from '../../support/place.js';

const [place = '', name = '', ...categories] = process.argv.slice(2);
const CALLERS = 4;
/** As long as `Retry-After` says of a store that is out of reach. */
const PAUSE_MS = 2_000;

const { automations, archive } = openPlace(JSON.parse(place) as Place);
const known: AutomationId[] = [];
let calls = 0;

/** Prints the call, does it, once more after a pause if the store was out of reach, and prints its end. */
async function logged<Answer>(call: Call, work: () => Promise<Answer>, end: (answer: Answer) => Partial<CallEnd>) {
  const id = `${name}-${(calls += 1)}`;
  print({ id, began: clock(), ...call });
  try {
    const answer = await work().catch(async (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      await setTimeout(PAUSE_MS);
      return work();
    });
    print({ id, ended: clock(), ...end(answer) });
  } catch (error) {
    print({ id, failed: String(error) });
  }
}

/** Reads, again and again while the store is out of reach: only calls that are printed are judged. */
async function read<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DomainError && error.kind === 'unavailable')) throw error;
      await setTimeout(PAUSE_MS);
    }
}

async function add(count: number): Promise<void> {
  const offers = Array.from({ length: count }, () => {
    const fields = { id: randomUUID() as AutomationId, categoryId: any(categories) as CategoryId };
    const entry = auditEntry(0, { id: newUuid() as AuditEntryId });
    return offer(0, { ...fields, developerId: name as DeveloperId, key: randomUUID(), auditEntry: entry });
  });
  const added = offers.map(({ automation, auditEntry: entry }) => ({
    automation: automation.id,
    category: automation.categoryId,
    entry: entry?.id ?? '',
  }));
  await logged(
    { kind: 'add', added },
    () => automations.add(offers),
    () => {
      known.push(...added.map(({ automation }) => automation));
      return {};
    },
  );
}

async function change(kind: 'revise' | 'withdraw'): Promise<void> {
  const id = any(known);
  const current = id && (await read(() => automations.find(id)));
  if (current === undefined) return;
  const entry = auditEntry(0, { id: newUuid() as AuditEntryId });
  const category = any(categories) as CategoryId;
  const call = { kind, automation: current.id, category, entry: entry.id };
  if (kind === 'withdraw') {
    const at = new Date();
    await logged(
      call,
      () => automations.withdraw(current.id, { at, by: 'developer', auditEntry: entry }),
      (outcome) => ({
        isDone: outcome === 'withdrawn',
      }),
    );
    return;
  }
  const updatedAt = new Date(Math.max(Date.now(), current.updatedAt.getTime() + 1));
  const revision = { automation: { ...current, categoryId: category, updatedAt }, basedOn: current.updatedAt };
  await logged(
    call,
    () => automations.revise({ ...revision, auditEntry: entry }),
    ({ outcome }) => ({
      isDone: outcome === 'revised',
    }),
  );
}

async function list(): Promise<void> {
  const category = Math.random() < 0.5 ? undefined : (any(categories) as CategoryId);
  const page = {
    number: 1 + Math.floor(Math.random() * Math.random() * 60),
    limit: 10 + Math.floor(Math.random() * 90),
  };
  const call = { kind: 'list', ...page, ...(category && { category }) } as const;
  await logged(
    call,
    () => automations.list({ page, ...(category && { category }) }),
    ({ items, total }) => ({
      items: items.map(({ id }) => id),
      total,
    }),
  );
}

async function work(): Promise<void> {
  for (;;) {
    const chance = Math.random();
    if (chance < 0.4) await list();
    else if (chance < 0.7) await add(Math.random() < 0.1 ? 60 : 1);
    else if (chance < 0.85) await change('revise');
    else await change('withdraw');
  }
}

/** Seconds since the machine was started: all processes have the same clock. */
function clock(): number {
  return Number(process.hrtime.bigint()) / 1e9;
}

function any<Value>(values: readonly Value[]): Value | undefined {
  return values[Math.floor(Math.random() * values.length)];
}

/** Written at once, so that it is there when the process is killed. */
function print(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

const onSale = await read(() => archive.scan({ order: 'oldest-first', status: 'on-sale', limit: 500 }));
known.push(...onSale.map(({ automation }) => automation.id));
await Promise.all(Array.from({ length: CALLERS }, work));

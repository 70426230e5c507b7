import { randomUUID } from 'node:crypto';
import { DomainError } from '../../../application/index.js';
import { Findings, type Report } from '../soak-report.js';
import { startServices } from '../side-by-side.js';
import type { Repositories } from '../repositories.js';
import { startService, type Reachable } from '../service.js';
import { Client, draft, type Answer } from './client.js';
import { replacing } from './spy.js';

/** A store that fails once when it is told to: before it has stored anything, or after. */
class Faults {
  next: 'unavailable' | 'outcome-unknown' | 'broken' | undefined;

  over(repositories: Repositories): Repositories {
    const automations = replacing(repositories.automations, async (method, run) => {
      const fault = method === 'add' ? this.next : undefined;
      if (fault === undefined) return run();
      this.next = undefined;
      if (fault === 'broken') throw new Error('the disk is on fire');
      if (fault === 'outcome-unknown') await run();
      throw new DomainError(fault, 'store-unavailable', 'the store is out of reach');
    });
    return { ...repositories, automations, close: () => repositories.close() };
  }
}

interface Attempt {
  readonly status: number;
  readonly send: (key: string, n: number) => Promise<Answer>;
  /** Whether the store had it all the same. */
  readonly kept?: boolean;
}

/**
 * D5, also where the store fails and where a quota is used up: over handles on one store, with a service over each, and
 * one that allows a create a minute.
 */
export async function unkeptAfterFaults(handles: readonly Repositories[], count: number): Promise<Report> {
  const faults = new Faults();
  const service = await startServices(handles.map((repositories) => faults.over(repositories)));
  const [first] = handles;
  const sparing = await startService({
    ...(first && { repositories: { ...first, close: async () => undefined } }),
    settings: { RATE_LIMIT_CREATES: '1' },
  });
  const clients = [service, sparing].map(async (one) => new Client(one, await service.key()));
  const [client, spent] = (await Promise.all(clients)) as [Client, Client];
  try {
    return await unkept(service, count, [...failuresOf(client, faults), limitOf(spent)]);
  } finally {
    for (const one of [client, spent]) one.close();
    await sparing.close();
    await service.close();
  }
}

/** D5: a create that failed leaves its key free: corrected and sent again with the same key it succeeds. */
export async function unkept(service: Reachable, count: number, more: readonly Attempt[] = []): Promise<Report> {
  const findings = new Findings();
  const client = new Client(service, await service.key());
  const reader = new Client(service, await service.key('ada', ['automations:read']));
  const stranger = new Client(service);
  const attempts = [...refusalsOf(client, reader, stranger), ...more];
  for (let n = 0; n < count; n += 1)
    for (const { status, send, kept = false } of attempts) {
      const key = randomUUID();
      const failed = await send(key, n);
      findings.check(failed.status === status, `expected ${status}, got ${failed.status} ${failed.text}`);
      const response = await client.post(draft(n), key);
      const replayed = response.headers['idempotent-replayed'] === 'true';
      const isRight = response.status === 201 && replayed === kept;
      findings.check(isRight, `after ${status}: ${response.status} ${response.text}`);
      findings.count('corrected');
    }
  findings.check((await client.total()) === count * attempts.length, 'the total is not that of the keys');
  for (const one of [client, reader, stranger]) one.close();
  return findings;
}

function refusalsOf(client: Client, reader: Client, stranger: Client): readonly Attempt[] {
  const typed = (type: string) => (key: string, n: number) =>
    client.send('/api/automations', {
      method: 'POST',
      headers: { 'content-type': type, 'idempotency-key': key },
      body: JSON.stringify(draft(n)),
    });
  return [
    { status: 400, send: (key) => client.post('{', key) },
    { status: 401, send: (key, n) => stranger.post(draft(n), key) },
    { status: 403, send: (key, n) => reader.post(draft(n), key) },
    { status: 413, send: (key) => client.post(draft(1, { description: 'x'.repeat(70_000) }), key) },
    { status: 415, send: typed('text/plain') },
    { status: 422, send: (key, n) => client.post(draft(n, { price: -1 }), key) },
    { status: 422, send: (key, n) => client.post(draft(n, { category_id: 'nowhere' }), key) },
  ];
}

/** What is invalid counts too, and stores nothing. */
function limitOf(spent: Client): Attempt {
  const send = async (key: string, n: number): Promise<Answer> => {
    await spent.post({});
    return spent.post(draft(n), key);
  };
  return { status: 429, send };
}

function failuresOf(client: Client, faults: Faults): readonly Attempt[] {
  const failing = (fault: Faults['next']) => (key: string, n: number) => {
    faults.next = fault;
    return client.post(draft(n), key);
  };
  return [
    { status: 500, send: failing('broken') },
    { status: 503, send: failing('unavailable') },
    { status: 503, send: failing('outcome-unknown'), kept: true },
  ];
}

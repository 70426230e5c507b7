import { expect } from 'chai';
import { DeveloperKeys, OPERATOR } from '../../../../application/index.js';
import type { Repositories } from '../../../support/repositories.js';
import { startService, type TestService } from '../../../support/service.js';
import type { Answer } from '../../../../adapters/conformance/answer.js';
import { rowFaults } from '../../../../adapters/conformance/row-faults.js';
import { bodyOf, filled, headersOf, impliedNames, type Names } from '../../../../adapters/conformance/rows/row.js';
import { ask, offer, speak } from './ask.js';
import { draft, DRAFT, wire, type WireRow } from './row.js';

export interface Run {
  readonly service: TestService;
  readonly names: Names;
  readonly mountPath: string;
}

/** Starts a service over these repositories, which was used before. */
export async function openRun(repositories: Repositories): Promise<Run> {
  return runOn(await startService({ repositories }));
}

/**
 * What somebody leaves behind who has been there: keys of all kinds, an automation on sale and one that was withdrawn.
 */
export async function runOn(service: TestService, mountPath = ''): Promise<Run> {
  const { keys } = service;
  const api = () => `${service.url}${mountPath}`;
  const full = await service.key('ada');
  const revoked = await keys.issue(OPERATOR, { developer: 'ada' });
  await keys.revoke(OPERATOR, revoked.key.id);
  const earlier = new DeveloperKeys(service.repositories.keys, { now: () => new Date(Date.now() - 2_000) });
  const expired = await earlier.issue(OPERATOR, { developer: 'ada', lifetime: 1_000 });
  const used = 'a-key-that-was-used';
  const id = idOf(await offer(api(), full, draft(), { 'Idempotency-Key': used }));
  const gone = idOf(await offer(api(), full, draft({ title: 'Gone' })));
  await service.marketplace.withdrawAutomation(OPERATOR, gone);
  const etag = (await ask(`${api()}/api/automations/${id}`, { key: full })).headers.get('etag') ?? '';
  const names: Names = {
    reader: await service.key('bob', ['automations:read']),
    writer: await service.key('ada', ['automations:write']),
    revoked: revoked.text,
    expired: expired.text,
    category: DRAFT.category_id,
    gone,
    used,
    ...impliedNames({ full, id, etag }),
  };
  return { service, names, mountPath };
}

function idOf({ body }: Answer): string {
  return (JSON.parse(body) as { id: string }).id;
}

/** The row as it goes over the wire. */
export function bytesOf(row: WireRow, names: Names, mountPath = ''): Buffer {
  if (row.wire !== undefined)
    return typeof row.wire === 'string' ? Buffer.from(filled(row.wire, names), 'latin1') : row.wire;
  const { method = 'GET', target = '/' } = row;
  const body = bodyOf(row, names);
  const length = row.body === undefined ? [] : [['Content-Length', String(body.length)] as const];
  const lines = [['Host', 'market.example'] as const, ...headersOf(row, names), ...length];
  const head = [
    `${method} ${mountPath}${filled(target, names)} HTTP/1.1`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** Sends the row and holds the answer, and what is stored after it, to what the row says. */
export async function runRow({ service, names, mountPath }: Run, row: WireRow): Promise<void> {
  const [before, failures] = [await totalOf(service), service.errors.length];
  const head = row.method === 'HEAD';
  const { answers, statuses, closed } = await speak(service.port, bytesOf(row, names, mountPath), {
    head,
    untilClosed: row.closes === true,
  });
  const [answer] = answers;
  if (answer === undefined || answers.length > 1) throw new Error(`${answers.length} answers`);
  const shown = answer.body.slice(0, 300);
  expect(rowFaults(row, answer, names), shown).to.deep.equal([]);
  if (answer.status !== 201) expect(statuses, 'interim answers').to.deep.equal([answer.status]);
  if (row.closes) expect([closed, answer.headers.get('connection')], 'closed at once').to.deep.equal([true, 'close']);
  expect((await totalOf(service)) - before, 'automations stored').to.equal(row.status === 201 ? 1 : 0);
  expect(service.errors.slice(failures), 'failures of the service').to.deep.equal([]);
}

export async function totalOf({ repositories }: TestService): Promise<number> {
  return (await repositories.automations.list({ page: { number: 1, limit: 1 } })).total;
}

/** Runs all of them and reports all that went wrong, each under the name of its row. */
export async function runRows(run: Run, rows: readonly WireRow[]): Promise<void> {
  const wrong: string[] = [];
  for (const row of rows)
    await runRow(run, row).catch((error: unknown) => {
      wrong.push(`${row.title}: ${error instanceof Error ? error.message : String(error)}`);
    });
  if (wrong.length > 0) throw new Error(`${wrong.length} of ${rows.length} rows went wrong:\n  ${wrong.join('\n  ')}`);
}

/** A create that must never be. */
const NEXT = wire(
  'POST /api/automations HTTP/1.1',
  `Content-Type: application/json\r\nContent-Length: ${draft().length}\r\n\r\n${draft()}`,
);

/** Sends a create behind each of these rows, which it must not come to. */
export async function runBefore({ service, names }: Run, rows: readonly WireRow[]): Promise<void> {
  const total = await totalOf(service);
  const next = bytesOf({ title: '', name: '', status: 0, wire: NEXT }, names);
  for (const row of rows) {
    const { answers, closed } = await speak(service.port, Buffer.concat([bytesOf(row, names), next]), {
      untilClosed: true,
    });
    expect({ statuses: answers.map(({ status }) => status), closed }, row.title).to.deep.equal({
      statuses: [row.status],
      closed: true,
    });
  }
  expect(await totalOf(service)).to.equal(total);
}

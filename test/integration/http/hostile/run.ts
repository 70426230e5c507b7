import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { DeveloperKeys, OPERATOR } from '../../../../application/index.js';
import { newKeyText } from '../../../../domain/api-key.js';
import type { Repositories } from '../../../support/repositories.js';
import { startService, type TestService } from '../../../support/service.js';
import { ask, offer, speak } from './ask.js';
import { problemOf, slugOf, type Answer } from './judge.js';
import { draft, wire, type Row } from './row.js';

/** What the names in braces stand for in one service. */
export type Names = Readonly<Record<string, string>>;

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
  const names = {
    full,
    reader: await service.key('bob', ['automations:read']),
    writer: await service.key('ada', ['automations:write']),
    revoked: revoked.text,
    expired: expired.text,
    unknown: newKeyText(randomBytes),
    typo: `${full.slice(0, 20)}${full[20] === 'x' ? 'y' : 'x'}${full.slice(21)}`,
    id,
    gone,
    etag,
    bare: etag.slice(1, -1),
    half: etag.slice(1, 12),
    used,
  };
  return { service, names, mountPath };
}

function idOf({ body }: Answer): string {
  return (JSON.parse(body) as { id: string }).id;
}

function filled(text: string, names: Names): string {
  return text.replaceAll(/\{([a-z]+)\}/g, (whole, name: string) => names[name] ?? whole);
}

/** The row as it goes over the wire. */
export function bytesOf(row: Row, names: Names, mountPath = ''): Buffer {
  if (row.wire !== undefined)
    return typeof row.wire === 'string' ? Buffer.from(filled(row.wire, names), 'latin1') : row.wire;
  const { method = 'GET', target = '/', body } = row;
  const headers: Row['headers'] = {
    Host: 'market.example',
    Authorization: 'Bearer {full}',
    ...row.headers,
    ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  const head = filled([`${method} ${mountPath}${target} HTTP/1.1`, ...lines].join('\r\n'), names);
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), Buffer.from(body ?? '')]);
}

/** Shorter than every time limit of the server: no answer may be one of those. */
const MAX_WAIT_MS = 4_000;

/** Sends the row and holds the answer, and what is stored after it, to what the row says. */
export async function runRow({ service, names, mountPath }: Run, row: Row): Promise<void> {
  const [before, failures] = [await totalOf(service), service.errors.length];
  const start = performance.now();
  const head = row.method === 'HEAD';
  const { answers, statuses, closed } = await speak(service.port, bytesOf(row, names, mountPath), {
    head,
    untilClosed: row.closes === true,
  });
  const [answer] = answers;
  if (answer === undefined || answers.length > 1) throw new Error(`${answers.length} answers`);
  expect(answer.status, `status, with ${answer.body.slice(0, 300)}`).to.equal(row.status);
  if (row.slug !== undefined && !head) expect(slugOf(answer), 'problem type').to.equal(row.slug);
  if (row.fields !== undefined) expect(fieldsOf(answer), 'fields').to.have.members(row.fields);
  for (const [name, value] of Object.entries(row.answer ?? {}))
    expect(answer.headers.get(name)?.replaceAll(`${mountPath}/`, '/') ?? null, name).to.equal(
      value === null ? null : filled(value, names),
    );
  if (answer.status !== 201) expect(statuses, 'interim answers').to.deep.equal([answer.status]);
  if (row.closes) expect(closed, 'closed').to.be.true;
  expect(performance.now() - start, 'milliseconds').to.be.below(MAX_WAIT_MS);
  expect((await totalOf(service)) - before, 'automations stored').to.equal(row.status === 201 ? 1 : 0);
  expect(service.errors.slice(failures), 'failures of the service').to.deep.equal([]);
}

/** Each pointer or parameter once, in the order in which it was first named. */
export function fieldsOf(answer: Answer): readonly string[] {
  return [...new Set((problemOf(answer).errors ?? []).map(({ pointer, parameter }) => pointer ?? parameter ?? '?'))];
}

export async function totalOf({ repositories }: TestService): Promise<number> {
  return (await repositories.automations.list({ page: { number: 1, limit: 1 } })).total;
}

/** Runs all of them and reports all that went wrong, each under the name of its row. */
export async function runRows(run: Run, rows: readonly Row[]): Promise<void> {
  const wrong: string[] = [];
  for (const row of rows)
    await runRow(run, row).catch((error: unknown) => {
      wrong.push(`${row.name}: ${error instanceof Error ? error.message : String(error)}`);
    });
  if (wrong.length > 0) throw new Error(`${wrong.length} of ${rows.length} rows went wrong:\n  ${wrong.join('\n  ')}`);
}

/** A create that must never be. */
const NEXT = wire(
  'POST /api/automations HTTP/1.1',
  `Content-Type: application/json\r\nContent-Length: ${draft().length}\r\n\r\n${draft()}`,
);

/** Sends a create behind each of these rows, which it must not come to. */
export async function runBefore({ service, names }: Run, rows: readonly Row[]): Promise<void> {
  const total = await totalOf(service);
  const next = bytesOf({ name: '', status: 0, wire: NEXT }, names);
  for (const row of rows) {
    const { answers, closed } = await speak(service.port, Buffer.concat([bytesOf(row, names), next]), {
      untilClosed: true,
    });
    expect({ statuses: answers.map(({ status }) => status), closed }, row.name).to.deep.equal({
      statuses: [row.status],
      closed: true,
    });
  }
  expect(await totalOf(service)).to.equal(total);
}

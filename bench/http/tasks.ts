import { starterCategories } from '../../composition/service/starter-categories.js';
import { draftJson, newAutomations, randomNumbers } from '../catalogue.js';
import { listPage } from './checks.js';
import type { Subject } from './subjects.js';
import { load, writeScript } from './wrk.js';

const LIMIT = 20;
const DRAFTS = 1_000;
/** Pages of 100 from which the ids for gets are taken. */
const ID_PAGES = 100;
/** Requests of the mix: 55 % list, 40 % get, 5 % create. */
const MIX = { list: 11_000, get: 8_000, create: 1_000 };
const FILL_SECONDS = 2;

export const TASK_NAMES = [
  'list, newest 20',
  'list, 1,000 pages at random',
  'list, all pages at random',
  'get',
  'create',
  'mixed',
] as const;
export type TaskName = (typeof TASK_NAMES)[number];

/** The scripts for wrk, by task. */
export type Scripts = Readonly<Record<TaskName, string>>;

/** Prepares the same tasks for every server; only the ids of the automations differ. */
export async function tasksFor(subject: Subject, items: number): Promise<Scripts> {
  const pages = pagesOf(subject, items / LIMIT);
  const gets = (await someIds(subject, items)).map((id) => get(subject, `/api/automations/${id}`));
  const creates = createsOf(subject);
  const pick = pickFrom(randomNumbers(1));
  const mix = [...pick(pages, MIX.list), ...pick(gets, MIX.get), ...pick(creates, MIX.create)];
  return {
    'list, newest 20': writeScript([get(subject, `/api/automations?limit=${LIMIT}`)]),
    'list, 1,000 pages at random': writeScript(pagesOf(subject, 1_000)),
    'list, all pages at random': writeScript(pages),
    get: writeScript(gets),
    create: writeScript(creates),
    mixed: writeScript(mix),
  };
}

/** Creates automations over HTTP until there are at least this many. */
export async function fill(subject: Subject, items: number): Promise<void> {
  const script = writeScript(createsOf(subject));
  let total = 0;
  while (total < items) {
    await load(subject, script, FILL_SECONDS);
    const before = total;
    total = (await listPage(subject, 1, 1)).total;
    if (total === before) throw new Error(`${subject.name} creates nothing`);
  }
}

function pagesOf(subject: Subject, count: number): string[] {
  return Array.from({ length: count }, (_, n) => get(subject, `/api/automations?limit=${LIMIT}&page=${n + 1}`));
}

function createsOf(subject: Subject): string[] {
  return Array.from(newAutomations(DRAFTS, starterCategories()), draftJson).map((body) =>
    rawRequest(subject, 'POST', '/api/automations', body),
  );
}

/** Ids from all over the list. */
async function someIds(subject: Subject, items: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < ID_PAGES; n += 1) {
    const page = 1 + Math.floor((n * items) / 100 / ID_PAGES);
    ids.push(...(await listPage(subject, page, 100)).data.map(({ id }) => id));
  }
  return ids;
}

function get(subject: Subject, path: string): string {
  return rawRequest(subject, 'GET', path);
}

function rawRequest({ key, url }: Subject, method: string, path: string, body?: string): string {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${new URL(url).host}`, `Authorization: Bearer ${key}`];
  if (body !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  return [...lines, '', body ?? ''].join('\r\n');
}

function pickFrom(random: () => number): (all: readonly string[], count: number) => string[] {
  return (all, count) => Array.from({ length: count }, () => all[Math.floor(random() * all.length)] ?? '');
}

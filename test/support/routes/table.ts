import { readFileSync } from 'node:fs';
import { grouped, table } from '../../../bench/figures.js';

/** A row of docs/routes.md. */
export interface Row {
  /** A method and the template of a route; without a route, words. */
  readonly name: string;
  readonly who: string;
  readonly request: string;
  /** Milliseconds, and bytes. */
  readonly cost: Cost;
  /** What counts it. */
  readonly limits: readonly string[];
}

/** What a request costs. */
export interface Cost {
  /** For which the event loop was busy. */
  readonly loopMs: number;
  /** The longest part of it without a turn for other requests. */
  readonly turnMs: number;
  /** Of the processor, on other threads. */
  readonly threadsMs: number;
  /** Of the response. */
  readonly bytes: number;
}

/** Everything that limits requests, besides the overload protection. */
export const LIMITS = [
  'reads',
  'creates',
  'failed authentications',
  'pages',
  'searches',
  'sign-ins',
  'reports',
  'token',
  'none',
];

/** Returns whether nothing counts a request, besides the overload protection. */
export function isUncounted({ limits }: Row): boolean {
  return limits.includes('none') || limits.includes('token');
}

const HEAD = ['request', 'for', 'its worst legal form', 'loop, ms', 'turn, ms', 'threads, ms', 'bytes', 'limits'];
const FILE = new URL('../../../../docs/routes.md', import.meta.url);

/** Returns the rows of all tables in docs/routes.md. */
export function readRows(): readonly Row[] {
  const cells = readFileSync(FILE, 'utf8').split('\n').map(cellsOf);
  return cells.filter((row) => row.length === HEAD.length && /^[`*]/.test(row[0] ?? '')).map(rowOf);
}

/** Returns the rows as tables for docs/routes.md: those with a route, and those without. */
export function tablesOf(rows: readonly Row[]): string {
  const parts = [rows.filter(hasRoute), rows.filter((row) => !hasRoute(row))];
  return parts.map((part) => table(HEAD, part.map(textsOf), 3)).join('\n\n');
}

function hasRoute({ name }: Row): boolean {
  return name.includes(' /') && /^[A-Z]/.test(name);
}

function cellsOf(line: string): readonly string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function rowOf(cells: readonly string[]): Row {
  const [name = '', who = '', request = '', loop, turn, threads, bytes = '', limits = ''] = cells;
  const times = { loopMs: Number(loop), turnMs: Number(turn), threadsMs: Number(threads) };
  const cost = { ...times, bytes: Number(bytes.replaceAll(',', '')) };
  return { name: name.slice(1, -1), who, request, cost, limits: limits.split(', ') };
}

function textsOf(row: Row): readonly string[] {
  const { name, who, request, cost, limits } = row;
  const mark = hasRoute(row) ? '`' : '*';
  const times = [cost.loopMs, cost.turnMs, cost.threadsMs].map((time) => time.toFixed(1));
  return [`${mark}${name}${mark}`, who, request, ...times, grouped(cost.bytes), limits.join(', ')];
}

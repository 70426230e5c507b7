import type { RecordsRequest } from '../../../application/automation-records.js';
import { OPERATOR } from '../../../domain/access.js';
import type { Automation } from '../../../domain/automation.js';
import type { ArchivedAutomation } from '../../../domain/ports.js';
import { inMajorUnits } from '../../../domain/price.js';
import { command, UsageError } from '../command.js';
import { parseCount } from '../option-values.js';
import { DONE, say, withSession, type Session } from '../session.js';
import { jsonArray } from '../terminal/json-array.js';
import { aligned, alignedParts, minuteOf } from '../terminal/table.js';
import { membersOf } from '../transfer/automation-lines.js';

const USUAL_COUNT = 25;
const MAX_PAGE_SIZE = 100;

export const list = command(
  {
    name: 'automations list',
    summary: 'lists automations on sale, newest first, and says how many match',
    details: 'The last word of TEXT may be the beginning of a word. Standard output has the list alone.',
    arguments: [],
    options: {
      search: { value: 'TEXT', summary: 'only automations with all of these words in title or description' },
      category: { value: 'ID', summary: 'only automations of this category' },
      developer: { value: 'NAME', summary: 'only automations of this developer, who may be oauth:SUBJECT' },
      limit: { value: 'N', summary: `how many to list; ${USUAL_COUNT} by default` },
      json: { summary: 'prints a JSON array' },
    },
  },
  async ({ options: { search: q, category, developer, limit, json } }, host) => {
    const count = limit === undefined ? USUAL_COUNT : parseCount('--limit', limit);
    return withSession(host, async (session) => {
      if (q !== undefined && !session.search) throw new UsageError('--search needs SEARCH=on');
      const found = new Findings(session, { q, category, developer }, count);
      const batches = found.batches();
      const lines = json ? jsonArray(batches, membersOf) : alignedParts(HEADINGS, batches, cellsOf);
      for await (const line of lines) say(host.stdout, line);
      say(host.stderr, found.summary);
      return DONE;
    });
  },
);

const HEADINGS = ['id', 'price', 'category', 'developer', 'created', 'title'];

/** The automations that a command finds, read by and by. */
class Findings {
  #shown = 0;
  #total = 0;

  constructor(
    private readonly session: Session,
    private readonly request: RecordsRequest,
    private readonly count: number,
  ) {}

  /** How many were found, and of how many; known at the end. */
  get summary(): string {
    if (this.#total === 0) return 'no automation on sale matches';
    if (this.#shown >= this.#total) return `${this.#total} found`;
    return `${this.#shown} of ${this.#total}; --limit shows more`;
  }

  async *batches(): AsyncGenerator<readonly Automation[]> {
    const limit = Math.min(this.count, MAX_PAGE_SIZE);
    for (let page = 1, left = this.count; left > 0; page += 1, left -= limit) {
      const { items, total } = await this.session.records.find(OPERATOR, { ...this.request, page, limit });
      const wanted = items.slice(0, left);
      this.#total = total;
      this.#shown += wanted.length;
      if (wanted.length > 0) yield wanted.map(({ automation }) => automation);
      if (page * limit >= total) return;
    }
  }
}

function cellsOf({ id, price, categoryId, developerId, createdAt, title }: Automation): string[] {
  return [id, String(inMajorUnits(price)), categoryId, developerId, minuteOf(createdAt), title];
}

export const show = command(
  {
    name: 'automations show',
    summary: 'shows an automation, also a withdrawn one with its reason',
    arguments: ['ID'],
    options: { json: { summary: 'prints a JSON object' } },
  },
  async ({ arguments: [id], options: { json } }, host) => {
    const found = await withSession(host, ({ records }) => records.read(OPERATOR, id));
    for (const line of json ? jsonOf(found) : linesOf(found)) say(host.stdout, line);
    return DONE;
  },
);

function jsonOf({ automation, withdrawn }: ArchivedAutomation): readonly string[] {
  const ended = { withdrawn_at: withdrawn?.at ?? null, reason: withdrawn?.reason ?? null };
  return JSON.stringify({ ...membersOf(automation), ...ended }, null, 2).split('\n');
}

function linesOf({ automation, withdrawn }: ArchivedAutomation): readonly string[] {
  const { id, title, price, categoryId, developerId, createdAt, updatedAt, description } = automation;
  const rows = [
    ['id', id],
    ['title', title],
    ['price', `${inMajorUnits(price)} ${price.currency}`],
    ['category', categoryId],
    ['developer', developerId],
    ['created', createdAt.toISOString()],
    ['updated', updatedAt.toISOString()],
    ['state', withdrawn === undefined ? 'on sale' : `withdrawn ${withdrawn.at.toISOString()}`],
    ...(withdrawn === undefined ? [] : [['reason', withdrawn.reason ?? '-']]),
  ];
  return [...aligned(rows), '', ...description.replaceAll('\t', '    ').split('\n')];
}

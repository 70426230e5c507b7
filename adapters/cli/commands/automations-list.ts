import type { Command } from '@commander-js/extra-typings';
import type { RecordsRequest } from '../../../application/automation-records.js';
import { OPERATOR } from '../../../domain/access.js';
import type { Automation } from '../../../domain/automation.js';
import type { AutomationFile } from '../../../domain/file.js';
import type { ArchivedAutomation } from '../../../domain/ports.js';
import { inMajorUnits } from '../../../domain/price.js';
import { automationJson } from '../../api/representations.js';
import { sayUnknown } from '../names.js';
import { UsageError } from '../program.js';
import { say, withSession, type Host, type Session } from '../session.js';
import { printList } from '../terminal/list.js';
import { aligned, minuteOf, type Column } from '../terminal/table.js';
import { NO_SUCH_CATEGORY } from '../terminal/words.js';
import { parseCount } from '../values.js';

const DEFAULT_COUNT = 25;
const MAX_PAGE_SIZE = 100;

const LIST_HELP = `
The last word of TEXT may be the beginning of a word. Standard output has the list alone; the number
of matches goes to standard error.`;

export function addList(automations: Command, host: Host): void {
  automations
    .command('list')
    .description('lists automations on sale, newest first, and says how many match')
    .option('--search <TEXT>', 'only automations with all of these words in title or description')
    .option('--category <ID>', 'only automations of this category')
    .option('--developer <NAME>', 'only automations of this developer')
    .option('--limit <N>', `how many to list; ${DEFAULT_COUNT} by default`, parseCount)
    .option('--json', 'prints a JSON array')
    .addHelpText('after', LIST_HELP)
    .action(({ search: q, category, developer, limit = DEFAULT_COUNT, json }) =>
      withSession(host, async (session) => {
        if (q !== undefined && !session.search) throw new UsageError('--search needs SEARCH=on');
        if (category !== undefined) await requireCategory(session, category);
        const found = new Findings(session, { q, category, developer }, limit);
        const count = await printList(
          host.stdout,
          { columns: COLUMNS, members: automationJson },
          found.batches(),
          json,
        );
        say(host.stderr, found.summary);
        if (count === 0) await sayUnknown(session, developer, host.stderr);
      }),
    );
}

/** @throws UsageError when there is no such category, instead of a list that is always empty. */
export async function requireCategory({ categories }: Session, id: string): Promise<void> {
  const all = await categories.list();
  if (!all.some((category) => category.id === id)) throw new UsageError(`--category ${NO_SUCH_CATEGORY}`);
}

const COLUMNS: readonly Column<Automation>[] = [
  { heading: 'id', cell: ({ id }) => id },
  { heading: 'price', cell: ({ price }) => String(inMajorUnits(price)) },
  { heading: 'category', cell: ({ categoryId }) => categoryId, cutTo: 12, leaveOut: 3 },
  { heading: 'developer', cell: ({ developerId }) => developerId, cutTo: 12, leaveOut: 2 },
  { heading: 'created', cell: ({ createdAt }) => minuteOf(createdAt), leaveOut: 1 },
  { heading: 'title', cell: ({ title }) => title, cutTo: 24 },
];

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

export function addShow(automations: Command, host: Host): void {
  automations
    .command('show <ID>')
    .description('shows an automation, also a withdrawn one with its reason')
    .option('--json', 'prints a JSON object')
    .action(async (id, { json }) => {
      const found = await withSession(host, ({ records }) => records.read(OPERATOR, id));
      for (const line of json ? jsonOf(found) : linesOf(found)) say(host.stdout, line);
    });
}

function jsonOf({ automation, withdrawn }: ArchivedAutomation): readonly string[] {
  const ended = { withdrawn_at: withdrawn?.at ?? null, reason: withdrawn?.reason ?? null };
  return JSON.stringify({ ...automationJson(automation), ...ended }, null, 2).split('\n');
}

function wordsOf({ name, size, platform }: AutomationFile): string {
  return [name, `${size.toLocaleString('en-US')} bytes`, ...(platform === undefined ? [] : [platform])].join(', ');
}

function linesOf({ automation, withdrawn }: ArchivedAutomation): readonly string[] {
  const { id, title, price, categoryId, url, license, file, developerId } = automation;
  const { createdAt, updatedAt, description } = automation;
  const rows = [
    ['id', id],
    ['title', title],
    ['price', `${inMajorUnits(price)} ${price.currency}`],
    ['category', categoryId],
    ['url', url ?? '-'],
    ['license', license ?? '-'],
    ['file', file === null ? '-' : wordsOf(file)],
    ['developer', developerId],
    ['created', createdAt.toISOString()],
    ['updated', updatedAt.toISOString()],
    ['state', withdrawn === undefined ? 'on sale' : `withdrawn ${withdrawn.at.toISOString()}`],
    ...(withdrawn === undefined ? [] : [['reason', withdrawn.reason ?? '-']]),
  ];
  return [...aligned(rows), '', ...description.replaceAll('\t', '    ').split('\n')];
}

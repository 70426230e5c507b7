import type { CommandStartedEvent, Db, Document, MongoClient } from 'mongodb';

/** A command as it went over the wire. */
export interface Command {
  readonly name: string;
  readonly document: Document;
}

/** Hears every command of a client that has `monitorCommands`. */
export class Wire {
  readonly commands: Command[] = [];

  constructor(client: MongoClient) {
    client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
      this.commands.push({ name: commandName, document: command });
    });
  }

  /** The commands that a piece of work sends. */
  async during(work: () => Promise<unknown>): Promise<readonly Command[]> {
    const start = this.commands.length;
    await work();
    return this.commands.slice(start);
  }
}

/** What the server did in one collection for a command. */
export interface Scan {
  readonly collection: string;
  readonly stages: readonly string[];
  readonly keys: number;
  readonly returned: number;
}

/** Members of a command that `explain` does not take. */
const OF_THE_SESSION = new Set([
  'lsid',
  '$db',
  '$clusterTime',
  'txnNumber',
  'readConcern',
  '$readPreference',
  'maxTimeMS',
]);

interface Plan {
  readonly queryPlanner: { readonly namespace: string; readonly winningPlan: Document };
  readonly executionStats: { readonly totalKeysExamined: number; readonly nReturned: number };
}

/** How the server goes about a `find` or an `aggregate`, the collections that it joins included. */
export async function scansOf({ document }: Command, db: Db): Promise<readonly Scan[]> {
  const plain = Object.fromEntries(Object.entries(document).filter(([member]) => !OF_THE_SESSION.has(member)));
  // A bound of an index may end in the middle of a character.
  const options = { enableUtf8Validation: false };
  const explained = await db.command({ explain: plain, verbosity: 'executionStats' }, options);
  return plansIn(explained).map(({ queryPlanner, executionStats }) => ({
    collection: queryPlanner.namespace.slice(queryPlanner.namespace.indexOf('.') + 1),
    stages: stagesIn(queryPlanner.winningPlan),
    keys: executionStats.totalKeysExamined,
    returned: executionStats.nReturned,
  }));
}

function plansIn(value: unknown): readonly Plan[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('queryPlanner' in value && 'executionStats' in value) return [value as Plan];
  return Object.values(value).flatMap(plansIn);
}

function stagesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'stage' in value ? [String(value.stage)] : [];
  return [...own, ...Object.values(value).flatMap(stagesIn)];
}

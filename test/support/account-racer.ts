/**
 * One of several processes that do the same with the same accounts at once: `fork` it, and send it where the store is.
 */
import { DomainError } from '../../domain/errors.js';
import type { AuditLog, DeveloperRepository, SessionRepository } from '../../domain/ports.js';
import { ADA, at, numbers, USD } from '../contracts/offers.js';
import { activation } from '../contracts/developers.js';
import { hashOf } from '../contracts/keys.js';
import type { AuditEntry, AuditEntryId } from '../../domain/audit.js';
import type { Storage } from '../../domain/ports.js';
import type { PostgresPlace } from './postgres.js';
import { signIn } from '../contracts/sessions.js';

/** How many invitations, sessions and calls there are to race for. */
export const ROUNDS = 25;
/** Entries that a process appends in one call. */
export const TOGETHER = 3;

export interface Store {
  readonly developers: DeveloperRepository;
  readonly sessions: SessionRepository;
  readonly audit: AuditLog;
  close(): unknown;
}

/** An SQLite file, a schema of PostgreSQL, or a database of MongoDB. */
export type Place = { readonly file: string } | PostgresPlace | { readonly url: string; readonly name: string };

/** In which rounds a process was the one that did it. */
export interface Wins {
  readonly activated: readonly number[];
  readonly named: readonly number[];
  readonly ended: readonly number[];
  readonly added: readonly number[];
}

/** The hash of the invitation of the racer's own developer, who wants the name that every other racer's wants. */
export const ownInvitation = (racer: number, round: number): string => hashOf((racer + 1) * 1_000 + round);
export const newSession = (round: number): string => hashOf(900_000 + round);

export async function openStore(place: Place): Promise<Store> {
  if ('file' in place) {
    const sqlite = await import('../../adapters/sql/sqlite/index.js');
    return prepared(sqlite.sqliteStorage(place.file));
  }
  if ('schema' in place) return prepared((await import('./postgres-storage.js')).openPostgres(place));
  const mongodb = await import('../../adapters/mongodb/index.js');
  const client = mongodb.newMongoClient(place.url);
  const db = client.db(place.name);
  await mongodb.prepareMongo(db);
  return {
    developers: new mongodb.MongoDeveloperRepository(db),
    sessions: new mongodb.MongoSessionRepository(db),
    audit: new mongodb.MongoAuditLog(db),
    close: () => client.close(),
  };
}

async function prepared(storage: Storage): Promise<Store> {
  await storage.prepare({ currency: USD });
  const { developers, sessions, auditLog: audit } = storage;
  return { developers, sessions, audit, close: () => storage.close() };
}

async function run({ developers, sessions, audit }: Store, racer: number): Promise<Wins> {
  const wins = { activated: [] as number[], named: [] as number[], ended: [] as number[], added: [] as number[] };
  for (const round of numbers(ROUNDS)) {
    const session = { hash: newSession(round), createdAt: at(racer), until: at(1_000) };
    const calls = [
      won(developers.activate(hashOf(round), activation(`Round ${round}, racer ${racer}`)), wins.activated, round),
      won(developers.activate(ownInvitation(racer, round), activation(`Wanted ${round}`)), wins.named, round),
      won(sessions.end({ hash: hashOf(round), entries: [] }), wins.ended, round),
      won(developers.signIn(ADA, signIn(round, { session })), wins.added, round),
      audit.append(numbers(TOGETHER).map((n) => entry(entryName(racer, round, n)))),
      audit.append([entry(sharedName(round))]),
    ];
    await Promise.all(calls);
  }
  return wins;
}

async function won(attempt: Promise<boolean>, wins: number[], round: number): Promise<void> {
  try {
    if (await attempt) wins.push(round);
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'conflict') throw error;
  }
}

/** Ids of entries are in the order of their digits. */
export function entryName(racer: number, round: number, n: number): string {
  return `${racer}-${String(round).padStart(2, '0')}-${n}`;
}

export function sharedName(round: number): string {
  return `f-${String(round).padStart(2, '0')}`;
}

function entry(id: string): AuditEntry {
  return { id: id as AuditEntryId, at: at(0), actor: 'developer', action: 'signed-in', developerId: ADA };
}

/** Told where, it opens the store and says so; told to go, it goes. */
function listen(): void {
  let store: Store;
  process.on('message', (message: { place: Place } | { go: number }) => {
    const done =
      'place' in message
        ? openStore(message.place).then((opened) => void (store = opened))
        : run(store, message.go).finally(() => store.close());
    done.then(
      (wins) => process.send?.({ wins }),
      (error: unknown) => process.send?.({ error: String(error) }),
    );
  });
}

if (process.send) listen();

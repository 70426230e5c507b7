import { createServer, type IncomingMessage } from 'node:http';
import type { MountedApp } from '../../adapters/api/index.js';
import { inMemoryStorage } from '../../adapters/in-memory/index.js';
import {
  newCategory,
  newCore,
  parseCurrency,
  type Core,
  type CoreOptions,
  type DeveloperId,
} from '../../application/index.js';
import { listening, type Listening } from './socket.js';

/** The users of a host, by the cookie `user=name`. */
export const HOST_USERS: Readonly<Record<string, unknown>> = {
  ada: { developerId: 'ada', name: 'Ada Lovelace', role: 'developer' },
  bea: { developerId: 'bea', role: 'buyer' },
  olga: { subject: 'olga@example.com', name: 'Olga', role: 'operator' },
};

/** Returns the user as the host says; the type of a host in JavaScript is a promise of its author alone. */
export function byUserCookie({ headers }: IncomingMessage): never {
  return HOST_USERS[/user=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? ''] as never;
}

/** Returns the account of the user whom the host knows by a subject. */
export function olgaIn({ identities }: Core): Promise<DeveloperId> {
  return identities.accountOf({ issuer: 'host', subject: 'olga@example.com' });
}

/** Returns the use cases over an empty store with one category. */
export async function hostCore(options: CoreOptions = {}): Promise<Core> {
  const storage = inMemoryStorage();
  await storage.prepare({ currency: parseCurrency('USD') });
  await storage.categories.save([newCategory({ id: 'email', name: 'Email' })]);
  return newCore(storage, options);
}

export async function serve(app: MountedApp): Promise<Listening> {
  const handle = app.callback();
  return listening(createServer((request, response) => void handle(request, response)));
}

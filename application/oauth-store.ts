import type { App, AppId } from '../domain/app.js';
import type { Connection, ConnectionId } from '../domain/connection.js';
import type { OAuthRecord, OAuthRecords, OwnedRecord } from '../domain/ports.js';
import { isUuid } from '../domain/uuid.js';
import type { Accounts } from './account-rights.js';

/** The kinds of the records that the core reads; the authorization server has others. */
export const APP = 'app';
export const CONNECTION = 'connection';

export function recordOfApp({ id, developerId, ...content }: App): OwnedRecord {
  return { kind: APP, id, developerId, content: JSON.stringify(content) };
}

export function appOf({ id, developerId, content }: OAuthRecord): App {
  const stored = JSON.parse(content) as Omit<App, 'id' | 'developerId'>;
  const owner = { id: id as AppId, developerId: developerId as App['developerId'] };
  return Object.freeze({ ...stored, ...owner, createdAt: new Date(stored.createdAt) });
}

/**
 * Returns the app with this `client_id`; undefined when there is none, or its developer is suspended. Asks the store
 * for no id that it could not have.
 */
export async function findActiveApp(
  records: Pick<OAuthRecords, 'find'>,
  developers: Accounts,
  clientId: string,
): Promise<App | undefined> {
  const record = isUuid(clientId) ? await records.find(APP, clientId) : undefined;
  if (record?.developerId === undefined) return undefined;
  const owner = await developers.find(record.developerId);
  return owner?.suspendedAt === undefined ? appOf(record) : undefined;
}

/** Returns a connection as a record. Its id is that of the grant. */
export function recordOfConnection({ id, developerId, clientId, expiresAt, ...content }: Connection): OwnedRecord {
  const record = { kind: CONNECTION, id, grantId: id, developerId, clientId, expiresAt };
  return { ...record, content: JSON.stringify(content) };
}

export function connectionOf({ id, developerId, clientId, expiresAt, content }: OAuthRecord): Connection {
  const stored = JSON.parse(content) as Pick<Connection, 'name' | 'scopes' | 'audience' | 'connectedAt' | 'lastUsedAt'>;
  const { lastUsedAt, ...kept } = stored;
  return Object.freeze({
    ...kept,
    ...(lastUsedAt && { lastUsedAt: new Date(lastUsedAt) }),
    id: id as ConnectionId,
    developerId: developerId as Connection['developerId'],
    clientId: clientId as string,
    connectedAt: new Date(stored.connectedAt),
    expiresAt: expiresAt as Date,
  });
}

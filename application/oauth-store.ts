import type { App, AppId } from '../domain/app.js';
import type { Connection, ConnectionId } from '../domain/connection.js';
import type { OAuthRecord } from '../domain/ports.js';

/** The kinds of the records that the core reads; the authorization server has others. */
export const APP = 'app';
export const CONNECTION = 'connection';

/** Returns an app as a record. */
export function recordOfApp({ id, developerId, ...content }: App): OAuthRecord {
  return { kind: APP, id, clientId: id, developerId, content: JSON.stringify(content) };
}

/** Returns the app of a record. */
export function appOf({ id, developerId, content }: OAuthRecord): App {
  const stored = JSON.parse(content) as Omit<App, 'id' | 'developerId'>;
  const owner = { id: id as AppId, developerId: developerId as App['developerId'] };
  return Object.freeze({ ...stored, ...owner, createdAt: new Date(stored.createdAt) });
}

/** Returns a connection as a record. Its id is that of the grant. */
export function recordOfConnection({ id, developerId, clientId, expiresAt, ...content }: Connection): OAuthRecord {
  const record = { kind: CONNECTION, id, grantId: id, developerId, clientId, expiresAt };
  return { ...record, content: JSON.stringify(content) };
}

/** Returns the connection of a record. */
export function connectionOf({ id, developerId, clientId, expiresAt, content }: OAuthRecord): Connection {
  const stored = JSON.parse(content) as Pick<Connection, 'name' | 'scopes' | 'audience' | 'connectedAt'>;
  return Object.freeze({
    ...stored,
    id: id as ConnectionId,
    developerId: developerId as Connection['developerId'],
    clientId: clientId as string,
    connectedAt: new Date(stored.connectedAt),
    expiresAt: expiresAt as Date,
  });
}

import type { DeveloperId } from '../../domain/access.js';
import type { DeveloperIdentity, Identity } from '../../domain/identity.js';
import type { Query } from './connection.js';
import type { Dialect } from './dialect.js';
import { mappingOf, type Row } from './mapping.js';

const IDENTITY = mappingOf<DeveloperIdentity>({ issuer: 'text', subject: 'text', developerId: 'text' });

export async function identitiesOf(
  query: Query,
  { prefix }: Dialect,
  ids: readonly DeveloperId[],
): Promise<readonly DeveloperIdentity[]> {
  const places = ids.map((_id, index) => `$${index + 1}`).join(', ');
  const sql = `SELECT ${IDENTITY.columns} FROM ${prefix}identities WHERE developer_id IN (${places})`;
  return ids.length === 0 ? [] : (await query<Row>(sql, ids)).map(IDENTITY.entityOf);
}

export async function holderOf(
  query: Query,
  { prefix }: Dialect,
  { issuer, subject }: Identity,
): Promise<DeveloperId | undefined> {
  const sql = `SELECT ${IDENTITY.columns} FROM ${prefix}identities WHERE issuer = $1 AND subject = $2`;
  return (await query<Row>(sql, [issuer, subject])).map(IDENTITY.entityOf)[0]?.developerId;
}

/** Stores an identity, and returns whether it did; a transaction that stores the same one at once is waited for. */
export async function addIdentity(
  query: Query,
  { prefix }: Dialect,
  { issuer, subject, developerId }: DeveloperIdentity,
): Promise<boolean> {
  const sql = `INSERT INTO ${prefix}identities (${IDENTITY.columns}) VALUES ($1, $2, $3)
    ON CONFLICT (issuer, subject) DO NOTHING RETURNING developer_id`;
  return (await query(sql, [issuer, subject, developerId])).length > 0;
}

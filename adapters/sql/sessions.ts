import type { SessionRepository } from '../../domain/ports.js';
import type { SqlConnection } from './connection.js';

export interface SqlSessionRepository extends SessionRepository {}
export class SqlSessionRepository {
  constructor(readonly connection: SqlConnection) {}
}

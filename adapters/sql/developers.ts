import type { DeveloperRepository } from '../../domain/ports.js';
import type { SqlConnection } from './connection.js';

export interface SqlDeveloperRepository extends DeveloperRepository {}
export class SqlDeveloperRepository {
  constructor(readonly connection: SqlConnection) {}
}

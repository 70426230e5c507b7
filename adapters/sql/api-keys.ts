import type { ApiKeyRepository } from '../../domain/ports.js';
import type { SqlConnection } from './connection.js';

export interface SqlApiKeyRepository extends ApiKeyRepository {}
export class SqlApiKeyRepository {
  constructor(readonly connection: SqlConnection) {}
}

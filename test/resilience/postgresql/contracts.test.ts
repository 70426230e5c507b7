import { remainingContracts } from '../../support/every-contract.js';
import { describePgBouncer } from '../../support/pgbouncer.js';
import { describePostgres } from '../../support/postgres.js';
import { postgresSubjects } from '../../support/postgres-contracts.js';

describePostgres('PostgreSQL', () => remainingContracts(postgresSubjects(() => undefined)));

describePgBouncer('PostgreSQL behind PgBouncer in transaction mode', (pooled) =>
  remainingContracts(postgresSubjects(pooled)),
);

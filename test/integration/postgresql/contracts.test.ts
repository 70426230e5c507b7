import { describePgBouncer } from '../../support/pgbouncer.js';
import { describePostgres } from '../../support/postgres.js';
import { everyContract } from './every-contract.js';

describePostgres('PostgreSQL', () => everyContract(() => undefined));

describePgBouncer('PostgreSQL behind PgBouncer in transaction mode', (pooled) => everyContract(pooled));

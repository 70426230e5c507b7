import { expect } from 'chai';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { forDriver } from '../../../composition/config/postgresql.js';
import { newCertificate } from '../../support/certificate.js';
import { describeOwnPostgres, startPostgres, unprivileged, type PostgresServer } from '../../support/postgres.js';

const IS_ENCRYPTED = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';

describeOwnPostgres('A PostgreSQL server with a certificate of its own', () => {
  let folder: string;
  let ca: string;
  let server: PostgresServer;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'postgres-tls-'));
    const { cert, key } = newCertificate(folder);
    ca = encodeURIComponent(cert);
    const owner = unprivileged();
    chmodSync(folder, 0o755);
    chmodSync(key, 0o600);
    if (owner !== undefined) chownSync(key, owner.uid, owner.gid);
    server = await startPostgres('ssl=on', `ssl_cert_file=${cert}`, `ssl_key_file=${key}`);
  });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  /** Returns whether the connection is encrypted, or why there is none. */
  async function connect(query: string): Promise<unknown> {
    const client = new pg.Client(forDriver(`${server.url}${query}`));
    try {
      await client.connect();
      return (await client.query<{ readonly ssl: boolean }>(IS_ENCRYPTED)).rows[0]?.ssl;
    } catch (error) {
      return (error as Error).message;
    } finally {
      await client.end();
    }
  }

  it('is not spoken to in TLS unless sslmode says so', async () => {
    for (const query of ['', '?sslmode=disable']) expect(await connect(query)).to.equal(false);
  });

  it('is not verified with no-verify', async () => {
    for (const query of ['?sslmode=no-verify', '?uselibpqcompat=true&sslmode=require'])
      expect(await connect(query)).to.equal(true);
  });

  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full'])
    it(`is verified with ${mode}, by the authority of sslrootcert`, async () => {
      expect(await connect(`?sslmode=${mode}`)).to.match(/self-signed certificate/);
      expect(await connect(`?sslmode=${mode}&sslrootcert=${ca}`)).to.equal(true);
    });
});

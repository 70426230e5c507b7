import { expect } from 'chai';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { newCertificate } from '../../support/certificate.js';
import { command, ReplicaSet } from '../../support/replica-set.js';
import { Client, draft } from '../../support/service/client.js';
import { describeMongod } from '../../support/mongodb.js';
import { startProcess } from '../../support/process.js';

const ROLES = ['one', 'two'].map((db) => ({ role: 'readWrite', db }));
const BY_PASSWORD = 'authSource=admin';

describeMongod('A MongoDB replica set that speaks TLS alone', () => {
  let folder = '';
  let set: ReplicaSet;
  let authority = '';
  let client = '';

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mongo-tls-'));
    const node = newCertificate(folder, 'node');
    const user = newCertificate(folder, 'user');
    const pem = together('node.pem', node.cert, node.key);
    client = together('client.pem', user.cert, user.key);
    authority = together('ca.pem', node.cert, user.cert);
    const files = ['--tlsCertificateKeyFile', pem, '--tlsCAFile', authority];
    const options = ['--tlsMode', 'requireTLS', ...files, '--tlsAllowConnectionsWithoutCertificates'];
    set = await ReplicaSet.start(1, 2_000, { secret: 'akeyofatleastsixcharacters', options, query: `&${verified()}` });
    await command(set.url, { createUser: 'root', pwd: 'root', roles: ['root'] });
    const root = new MongoClient(url('root:root@', '', BY_PASSWORD, verified()));
    await root.db('admin').command({ createUser: 'market', pwd: 'secret', roles: ROLES });
    await root.db('$external').command({ createUser: 'CN=127.0.0.1', roles: ROLES });
    await root.close();
  });
  after(async () => {
    await set.stop();
    rmSync(folder, { recursive: true });
  });

  const together = (name: string, ...files: readonly string[]): string => {
    writeFileSync(join(folder, name), files.map((file) => readFileSync(file, 'utf8')).join(''));
    return join(folder, name);
  };
  const addresses = () => set.nodes.map(({ address }) => address).join(',');
  const url = (user: string, database: string, ...options: readonly string[]): string =>
    `mongodb://${user}${addresses()}/${database}?replicaSet=rs0&${options.join('&')}`;
  const verified = () => `tls=true&tlsCAFile=${authority}`;

  const ways: Readonly<Record<string, () => string>> = {
    'a password': () => url('market:secret@', 'one', BY_PASSWORD, verified()),
    'a certificate': () => url('', 'two', 'authMechanism=MONGODB-X509', `tlsCertificateKeyFile=${client}`, verified()),
  };
  for (const [way, of] of Object.entries(ways))
    it(`serves who comes with ${way} and knows its authority`, async () => {
      const service = await startProcess({ STORAGE: 'mongodb', MONGODB_URL: of() });
      const market = new Client(service.url, service.firstKey);
      expect((await market.post(draft(1, { category_id: 'uncategorized' }))).status).to.equal(201);
      expect((await market.get('/automations')).status).to.equal(200);
      market.close();
      await service.kill();
      expect(service.stderr).to.deep.equal([]);
    });

  const wrong: Readonly<Record<string, () => string>> = {
    'does not speak TLS': () => url('market:secret@', 'one', BY_PASSWORD),
    'does not know its authority': () => url('market:secret@', 'one', BY_PASSWORD, 'tls=true'),
  };
  for (const [who, of] of Object.entries(wrong))
    it(`is out of reach for who ${who}`, async () => {
      const service = await startProcess({ STORAGE: 'mongodb', MONGODB_URL: of() });
      expect((await fetch(`${service.url}/livez`)).status).to.equal(200);
      expect((await fetch(`${service.url}/readyz`)).status).to.equal(503);
      await service.kill();
    });
});

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { MongoClient, type Db } from 'mongodb';
import { newMongoClient, recordCurrency, ping, prepareMongo } from '../../../adapters/mongodb/index.js';
import { parseCurrency } from '../../../domain/currency.js';
import { checkServer } from '../../../adapters/mongodb/schema.js';
import { command, ReplicaSet } from '../../support/replica-set.js';
import { newMongoSettings } from '../../support/mongo-storage.js';
import { describeMongo, describeMongod } from '../../support/mongodb.js';
import { preloaded, startProcess, Workplace } from '../../support/process.js';

describeMongo('The step that prepares MongoDB', (url) => {
  it('may be run by several at once, and again', async () => {
    const name = `prepare-${randomUUID()}`;
    const clients = [1, 2, 3, 4].map(() => newMongoClient(url()));
    const dbs = clients.map((client) => client.db(name));
    await Promise.all(dbs.map((db) => prepareMongo(db)));
    expect(
      await Promise.all(dbs.map((db, n) => recordCurrency(db, parseCurrency(n % 2 === 0 ? 'USD' : 'EUR')))),
    ).to.satisfy((noted: readonly string[]) => new Set(noted).size === 1);
    await Promise.all(dbs.map((db) => prepareMongo(db)));
    const [db] = dbs;
    const indexes = await db?.collection('automations').indexes();
    expect(indexes?.map(({ name: index }) => index)).to.include.members(['seq', 'list', 'idempotency_key']);
    for (const client of clients) await client.close();
  });
});

describeMongo('The version of the schema in MongoDB', (url) => {
  let client: MongoClient;
  let db: Db;
  beforeEach(() => {
    client = newMongoClient(url());
    db = client.db(`prepare-${randomUUID()}`);
  });
  afterEach(async () => {
    await db.dropDatabase();
    await client.close();
  });
  const version = async () =>
    (await db.collection<{ _id: string; value: number }>('settings').findOne({ _id: 'schema' }))?.value;

  it('is 1, and is recorded when everything else is there', async () => {
    await prepareMongo(db);
    expect(await version()).to.equal(1);
  });

  it('that a newer release has recorded is refused with a sentence, and nothing is changed', async () => {
    await prepareMongo(db);
    await db.collection<{ _id: string }>('settings').updateOne({ _id: 'schema' }, { $set: { value: 2 } });
    await db.collection('counts').drop();
    const refusal: unknown = await prepareMongo(db).catch((error: unknown) => error);
    expect(String(refusal)).to.equal(
      'Error: The MongoDB store has version 2 of the schema, and this release knows versions up to 1. ' +
        'Use the release that prepared the store, or a newer one.',
    );
    expect(await db.listCollections({ name: 'counts' }).toArray()).to.deep.equal([]);
    expect(await version()).to.equal(2);
  });

  it('is led on by each step from the recorded one, once', async () => {
    const done: string[] = [];
    const toTwo = async () => void done.push('two');
    const toThree = async () => void done.push(`three, from ${String(await version())}`);
    await prepareMongo(db);
    await prepareMongo(db, {}, [toTwo]);
    await prepareMongo(db, {}, [toTwo, toThree]);
    await prepareMongo(db, {}, [toTwo, toThree]);
    expect(done).to.deep.equal(['two', 'three, from 2']);
    expect(await version()).to.equal(3);
  });

  it('of a new store is the current one, without a step', async () => {
    await prepareMongo(db, {}, [() => expect.fail('a step in a new store')]);
    expect(await version()).to.equal(2);
  });
});

describeMongo('The service with mongodb+srv', (url) => {
  it('starts while names cannot be looked up, and heals when they can', async () => {
    const [, host = '', port = ''] = /\/\/(?:[^@]*@)?([^:/?,]+):(\d+)/.exec(url()) ?? [];
    const up = join(mkdtempSync(join(tmpdir(), 'names-')), 'up');
    const names = `import dns from "node:dns";
      import { existsSync } from "node:fs";
      const failure = (code) => Promise.reject(Object.assign(new Error(code), { code, syscall: "querySrv" }));
      dns.promises.resolve = (name, kind) => {
        if (!existsSync("${up}")) return failure("ESERVFAIL");
        return kind === "TXT" ? failure("ENODATA") : Promise.resolve([{ name: "one.market.example", port: ${port} }]);
      };
      const { lookup } = dns;
      dns.lookup = (name, ...rest) => lookup(name === "one.market.example" ? "${host}" : name, ...rest);`;
    const MONGODB_URL = `mongodb+srv://db.market.example/srv-${randomUUID()}?tls=false&replicaSet=rs0`;
    const service = await startProcess({ STORAGE: 'mongodb', MONGODB_URL, ...preloaded(names) });
    const isReady = async () => (await fetch(`${service.url}/readyz`)).status;
    expect(await isReady()).to.equal(503);
    writeFileSync(up, '');
    while ((await isReady()) !== 200) await setTimeout(100);
    expect(await service.stop()).to.equal(0);
    rmSync(dirname(up), { recursive: true });
  });
});

describe('A MongoDB server that says what it is', () => {
  it('is refused before 5.0, and taken from then on, behind a mongos as well', () => {
    const older = { setName: 'rs0', maxWireVersion: 9 };
    expect(() => checkServer(older)).to.throw('older than 5.0');
    expect(() => checkServer({ msg: 'isdbgrid', maxWireVersion: 12 })).to.throw('older than 5.0');
    for (const fit of [
      { setName: 'rs0', maxWireVersion: 13 },
      { msg: 'isdbgrid', maxWireVersion: 27 },
    ])
      expect(() => checkServer(fit)).not.to.throw();
  });
});

describeMongod('A standalone MongoDB', () => {
  it('is refused, with the command that helps', async () => {
    const set = await ReplicaSet.standalone();
    const client = newMongoClient(`mongodb://${set.nodes[0]?.address ?? ''}/`);
    try {
      const refusal: unknown = await prepareMongo(client.db('alone')).catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(Error).with.property('name', 'Error');
      expect(String(refusal)).to.include('standalone').and.to.include('--replSet rs0').and.to.include('rs.initiate()');
    } finally {
      await client.close();
      await set.stop();
    }
  });
});

describeMongo('A MongoDB database without a store', () => {
  it('is told by commands that need one, which leave nothing in it', async () => {
    const settings = await newMongoSettings();
    const client = new MongoClient(settings.MONGODB_URL);
    const place = await Workplace.open({ ...settings, CURRENCY: 'EUR' });
    try {
      for (const words of [['keys', 'list'], ['developers', 'list'], ['automations', 'export'], ['audit']]) {
        const { code, stdout, stderr } = await place.run(words);
        expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
        expect(stderr).to.match(
          /^MONGODB_URL, or the content of MONGODB_URL_FILE, must name a database with a store: there is none in the /,
        );
      }
      expect(await client.db().listCollections().toArray()).to.deep.equal([]);
      expect((await place.run(['keys', 'issue', '--developer', 'ada'])).code).to.equal(0);
      expect((await place.run(['keys', 'list', '--json'])).stdout).to.include('"developer":"ada"');
    } finally {
      await client.close();
      await place.clear();
    }
  });
});

describeMongo('A MongoDB database that a host has prepared', () => {
  it('is a store to commands that need one', async () => {
    const settings = await newMongoSettings();
    const client = new MongoClient(settings.MONGODB_URL);
    await prepareMongo(client.db());
    await client.close();
    const place = await Workplace.open(settings);
    const { code, stdout, stderr } = await place.run(['keys', 'list', '--json']);
    await place.clear();
    expect({ code, stdout, stderr }).to.deep.equal({ code: 0, stdout: '[]\n', stderr: '' });
  });
});

describeMongod('A MongoDB user with readWrite on one database alone', () => {
  it('can run the step and the service, and who is nobody there is told so', async () => {
    const set = await ReplicaSet.start(1, 2_000, { secret: 'akeyofatleastsixcharacters' });
    const [address] = set.nodes.map((node) => node.address);
    try {
      await command(set.url, { createUser: 'root', pwd: 'root', roles: ['root'] });
      const root = new MongoClient(`mongodb://root:root@${address ?? ''}/?replicaSet=rs0&authSource=admin`);
      await root
        .db('market')
        .command({ createUser: 'market', pwd: 'secret', roles: [{ role: 'readWrite', db: 'market' }] });
      await root.close();
      const url = `mongodb://market:secret@${address ?? ''}/market?replicaSet=rs0`;
      const client = newMongoClient(url);
      await prepareMongo(client.db('market'));
      await ping(client.db('market'));
      const others: unknown = await prepareMongo(client.db('other')).catch((error: unknown) => error);
      expect(String(others)).to.include('not authorized');
      await client.close();
      for (const user of ['market:canary@', 'canary:canary@', '']) {
        const place = await Workplace.open({ STORAGE: 'mongodb', MONGODB_URL: url.replace('market:secret@', user) });
        const { code, stdout, stderr } = await place.run(['serve']);
        await place.clear();
        expect({ code, stdout }, stderr).to.deep.equal({ code: 1, stdout: '' });
        expect(stderr)
          .to.match(/^The settings have errors:\n {2}MONGODB_URL, or the content of MONGODB_URL_FILE, is wrong: /)
          .and.to.include('MongoDB refuses this user or password')
          .and.not.to.include('canary');
      }
      const service = await startProcess({ STORAGE: 'mongodb', MONGODB_URL: url });
      expect((await fetch(`${service.url}/readyz`)).status).to.equal(200);
      const headers = { authorization: `Bearer ${service.firstKey}`, 'content-type': 'application/json' };
      const body = JSON.stringify({
        title: 'One',
        description: 'It does one thing.',
        price: 1,
        category_id: 'uncategorized',
      });
      expect((await fetch(`${service.url}/api/automations`, { method: 'POST', headers, body })).status).to.equal(201);
      expect(await (await fetch(`${service.url}/api/automations`, { headers })).json()).to.include({ total: 1 });
      await service.kill();
    } finally {
      await set.stop();
    }
  });
});

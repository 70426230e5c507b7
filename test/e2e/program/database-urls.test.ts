import { expect } from 'chai';
import { exposureOf } from '../../../composition/config/mongodb.js';
import { preloaded, Workplace } from '../../support/process.js';

describe('The service with a MONGODB_URL', () => {
  let place: Workplace;
  before(async () => {
    place = await Workplace.open({ STORAGE: 'mongodb' });
  });
  after(() => place.clear());

  const warningsWith = async (MONGODB_URL: string) => {
    const service = await place.serve({ MONGODB_URL });
    const code = await service.stop();
    expect(code).to.equal(0);
    const entries = service.logged().map((line) => JSON.parse(line) as { level: number; msg: string });
    expect(service.stdout.join()).not.to.include('canary');
    return entries.filter(({ level, msg }) => level === 40 && msg.startsWith('MONGODB_URL'));
  };

  it('that exposes the store to a network says so once, as a warning without a value', async () => {
    const [warning, ...more] = await warningsWith('mongodb://canary:canary@canary.invalid/market');
    expect(warning?.msg).to.equal(exposureOf('mongodb://a:b@c'));
    expect(more).to.deep.equal([]);
  });

  it(
    'whose servers cannot be found by their names listens without them, ' + 'be the look-up refused or never answered',
    async () => {
      for (const answer of [
        'Promise.reject(Object.assign(new Error("querySrv ESERVFAIL"), { code: "ESERVFAIL", syscall: "querySrv" }))',
        'new Promise(() => undefined)',
      ]) {
        const service = await place.serve({
          MONGODB_URL: 'mongodb+srv://canary:canary@canary.example/market',
          ...preloaded(`import dns from "node:dns";dns.promises.resolve=()=>${answer}`),
        });
        const probes = await Promise.all(
          ['livez', 'readyz'].map(async (path) => (await fetch(`${service.url}/${path}`)).status),
        );
        expect(probes).to.deep.equal([200, 503]);
        expect(await service.stop()).to.equal(0);
        expect([...service.stdout, ...service.stderr].join()).not.to.include('canary');
      }
    },
  );

  it('of this machine says nothing', async () => {
    expect(await warningsWith('mongodb://127.0.0.1:1/market')).to.deep.equal([]);
  });

  for (const options of ['maxPoolSize=canary', 'unknown=canary', 'tls=canary'])
    it(`with ${options}, which the driver refuses, is refused without the driver's words`, async () => {
      const { code, stdout, stderr } = await place.run(['serve'], { MONGODB_URL: `mongodb://127.0.0.1/?${options}` });
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
      expect(stderr)
        .to.include(`it refuses ${options.split('=')[0]}\n`)
        .and.not.to.include('canary');
    });
});

describe('The service with a POSTGRES_URL', () => {
  let place: Workplace;
  before(async () => {
    place = await Workplace.open({ STORAGE: 'postgresql' });
  });
  after(() => place.clear());

  it('that leads to another machine without TLS warns once, listens without it, and is not ready', async () => {
    const service = await place.serve({ POSTGRES_URL: 'postgres://canary:canary@canary.invalid/market' });
    const probes = await Promise.all(
      ['livez', 'readyz'].map(async (at) => (await fetch(`${service.url}/${at}`)).status),
    );
    expect(probes).to.deep.equal([200, 503]);
    expect(await service.stop()).to.equal(0);
    const warnings = service.logged().filter((line) => line.includes('without TLS'));
    expect(warnings).to.have.length(1);
    expect([...service.stdout, ...service.stderr].join().replaceAll('canary.invalid', '')).not.to.include('canary');
  });
});

import { expect } from 'chai';
import { preloaded, Workplace } from '../../support/process.js';

describe('The service with a MONGODB_URL', () => {
  let place: Workplace;
  before(async () => {
    place = await Workplace.open({ STORAGE: 'mongodb' });
  });
  after(() => place.clear());

  it(
    'whose servers cannot be found by their names listens without them, ' + 'be the look-up refused or never answered',
    async () => {
      for (const answer of [
        'Promise.reject(Object.assign(new Error("querySrv ESERVFAIL"), { code: "ESERVFAIL", syscall: "querySrv" }))',
        'new Promise(() => undefined)',
      ]) {
        const service = await place.serve({
          MONGODB_URL: 'mongodb+srv://canary:canary@db.example/market',
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

  it('that leads to no server: listens, is not ready, and logs no password', async () => {
    const service = await place.serve({ POSTGRES_URL: 'postgres://ada:canary@db.invalid/market' });
    const probes = await Promise.all(
      ['livez', 'readyz'].map(async (at) => (await fetch(`${service.url}/${at}`)).status),
    );
    expect(probes).to.deep.equal([200, 503]);
    expect(await service.stop()).to.equal(0);
    expect([...service.stdout, ...service.stderr].join()).not.to.include('canary');
  });
});

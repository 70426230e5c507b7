import { expect } from 'chai';
import { mountApp } from '../../support/service.js';
import { runOn, runRows, type Run } from '../../integration/http/hostile/run.js';
import { THEMES } from '../../integration/http/hostile/rows.js';
import { HOSTS, MOUNT_PATH } from './hosts.js';

/**
 * But for what only a server itself can answer: bytes that it cannot read, its limits, and addresses that are no paths.
 */
const ROWS = Object.entries(THEMES)
  .filter(([theme]) => theme !== 'limits' && theme !== 'raw wire')
  .flatMap(([, rows]) => rows)
  .filter(({ wire, closes, target = '/' }) => wire === undefined && !closes && target.startsWith('/'));

for (const [name, host] of Object.entries(HOSTS))
  describe(`Mounted in ${name}`, () => {
    let run: Run;
    before(async () => {
      run = await runOn(await mountApp({ mountPath: MOUNT_PATH, host }), MOUNT_PATH);
    });
    after(() => run.service.close());

    it(`answers ${ROWS.length} requests as it does on its own`, () => runRows(run, ROWS));

    it('leaves the routes of its host alone', async () => {
      const answer = await fetch(`${run.service.url}/hello`);
      expect([answer.status, await answer.text()]).to.deep.equal([200, 'hello']);
    });
  });

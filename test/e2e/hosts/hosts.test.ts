import { expect } from 'chai';
import type { OpenApiDocument } from '../../../adapters/api/openapi/model.js';
import { mountApp } from '../../support/service.js';
import { runOn, runRows, type Run } from '../../integration/http/hostile/run.js';
import { TABLE } from '../../../adapters/conformance/rows/table.js';
import { HOSTS, MOUNT_PATH } from './hosts.js';

/** Each fifth row of the wire contract, but for limits, which are a server's own. */
const ROWS = Object.entries(TABLE)
  .flatMap(([theme, rows]) => (theme === 'limits' ? [] : rows))
  .filter((_, n) => n % 5 === 0);

/** Returns the types of problems of several statuses, under and outside the base of the API. */
async function typesOf({ service }: Run): Promise<readonly string[]> {
  const authorized = { headers: { authorization: `Bearer ${await service.key()}` } };
  const requests: readonly (readonly [path: string, init?: RequestInit])[] = [
    ['/api/automations'],
    ['/api/automations?page=0', authorized],
    ['/api/automations', { ...authorized, method: 'DELETE' }],
    ['/nothing'],
  ];
  const typeOf = async ([path, init]: (typeof requests)[number]) => {
    const response = await fetch(`${service.url}${MOUNT_PATH}${path}`, init);
    return ((await response.json()) as { readonly type: string }).type;
  };
  return Promise.all(requests.map(typeOf));
}

for (const [name, host] of Object.entries(HOSTS))
  describe(`Mounted in ${name}`, () => {
    let run: Run;
    before(async () => {
      run = await runOn(await mountApp({ mountPath: MOUNT_PATH, host }), MOUNT_PATH);
    });
    after(() => run.service.close());

    it(`answers ${ROWS.length} requests as it does on its own`, () => runRows(run, ROWS));

    it('has a page for each type of problem, whose style is there too', async () => {
      const types = await typesOf(run);
      expect(types).to.have.length(4);
      for (const type of types) {
        const page = await fetch(`${run.service.url}${type}`);
        expect(page.headers.get('content-type'), type).to.equal('text/html; charset=utf-8');
        const [styles = ''] = /(?<=stylesheet" href=")[^"]+/.exec(await page.text()) ?? [];
        expect([page.status, (await fetch(`${run.service.url}${styles}`)).status], type).to.deep.equal([200, 200]);
      }
    });

    it('has an OpenAPI document whose server is the application', async () => {
      const document = await fetch(`${run.service.url}${MOUNT_PATH}/openapi.json`);
      const { servers } = (await document.json()) as OpenApiDocument;
      const [base] = servers.map(({ url }) => url);
      expect([document.status, servers.length, base]).to.deep.equal([200, 1, `${MOUNT_PATH}/api`]);
    });

    it('leaves the routes of its host alone', async () => {
      const answer = await fetch(`${run.service.url}/hello`);
      expect([answer.status, await answer.text()]).to.deep.equal([200, 'hello']);
    });
  });

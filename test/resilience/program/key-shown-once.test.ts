import { expect } from 'chai';
import { Workplace } from '../../support/process.js';
import { Client, created, draft } from '../../support/service/client.js';

/** What anybody can read without being the key's owner. */
const OPEN = ['/', '/livez', '/readyz', '/openapi.json', '/docs', '/problems', '/problems/invalid-token', '/nothing'];

describe('A key is shown once', () => {
  let place: Workplace;
  before(async () => {
    place = await Workplace.open();
  });
  after(() => place.clear());

  it('when it is made, and in no answer, no other command and no log line after that', async () => {
    const shown: string[] = [];
    const run = async (...words: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await place.run(words);
      expect(code, words.join(' ')).to.equal(0);
      shown.push(stdout, stderr);
      return stderr.trim().split(' ').at(-1) ?? '';
    };
    const service = await place.serve();
    const id = await run('keys', 'issue', '--developer', 'ada');
    await run('keys', 'rotate', id);
    const keys = shown.filter((text) => text.startsWith('amk_')).map((text) => text.trim());
    expect(keys).to.have.length(2);
    for (const key of [service.firstKey, ...keys]) shown.push(...(await everyAnswer(service.url, key)));
    await Promise.all([run('keys', 'list', '--json'), run('keys', 'revoke', id)]);
    expect(await service.stop()).to.equal(0);
    shown.push(service.logged().join('\n'), service.stderr.join('\n'));
    for (const key of keys) expect(shown.filter((text) => text.includes(key.slice(4, 34)))).to.have.length(1);
    expect(shown.filter((text) => text.includes(service.firstKey))).to.deep.equal([]);
  });
});

/** Every route read with a key, and some mistakes made with it; heads and bodies. */
async function everyAnswer(url: string, key: string): Promise<readonly string[]> {
  const client = new Client(url, key);
  const made = await client.post(draft(1, { category_id: 'uncategorized' }), `made-with-${key.slice(4, 10)}`);
  const id = made.status === 201 ? created(made).id : 'none';
  const paths = ['/automations', `/automations/${id}`, '/categories', '/nothing', '/automations?page=0'];
  const answers = [made, await client.post('{', key), await client.send('/api/automations', { method: 'DELETE' })];
  for (const path of paths) answers.push(await client.get(path));
  for (const path of OPEN) answers.push(await client.send(path));
  client.close();
  return answers.map(({ headers, text }) => JSON.stringify(headers) + text);
}

import { expect } from 'chai';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { Workplace } from '../../support/process.js';

const SAMPLES = 'test/integration/file-inspection/samples';

describe('Files by the program', () => {
  it('go in by a folder and by a command, are handed out, and come out byte for byte', async () => {
    const place = await Workplace.open({ CATALOGUE: 'public' });
    const service = await place.serve();
    const succeed = async (...words: readonly string[]) => {
      const { code, stdout, stderr } = await place.run(['automations', ...words]);
      expect(code, stderr).to.equal(0);
      return stdout;
    };
    const { developer, category } = { developer: 'ada', category: 'ai-agent-development' };
    const words = ['import', `${process.cwd()}/${SAMPLES}`, '--developer', developer, '--category', category] as const;
    expect(await succeed(...words, '--license', 'MIT')).to.match(
      /^20 files read, 20 stored, 0 already there, 0 failed;/,
    );
    expect(await succeed(...words, '--license', 'MIT')).to.match(
      /^20 files read, 0 stored, 20 already there, 0 failed;/,
    );
    const all = JSON.parse(await succeed('list', '--json')) as readonly {
      readonly id: string;
      readonly license: string;
      readonly file: { readonly name: string; readonly sha256: string };
    }[];
    expect(all.map(({ license }) => license)).to.deep.equal(all.map(() => 'MIT'));
    for (const { id, file } of all) {
      const sent = Buffer.from(await (await fetch(`${service.url}/files/${id}`)).arrayBuffer());
      expect(await succeed('download', id)).to.equal(
        `${file.name} is written; ${sent.length.toLocaleString('en-US')} bytes\n`,
      );
      expect(readFileSync(place.path(file.name)).equals(sent), file.name).to.equal(true);
      expect(await succeed('download', id, '-'), file.name).to.equal(sent.toString());
    }
    const { id = '' } = all[0] ?? {};
    mkdirSync(place.path('new'));
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
    writeFileSync(place.path('new/all.zip'), bytes);
    expect(await succeed('attach', id, 'new/all.zip')).to.equal(`automation ${id} is revised; changed file\n`);
    await succeed('download', id);
    expect(readFileSync(place.path('all.zip'))).to.deep.equal(bytes);
    expect(statSync(place.path('all.zip')).mode & 0o777).to.equal(process.platform === 'win32' ? 0o666 : 0o600);
    expect(await succeed('revise', id, '--file=')).to.equal(`automation ${id} is revised; changed file\n`);
    expect((await place.run(['automations', 'download', id, 'none'])).code).to.equal(1);
    expect((await fetch(`${service.url}/files/${id}`)).status).to.equal(404);
    await place.clear();
  });
});

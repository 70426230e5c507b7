import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Visitor } from '../../support/panel-visitor.js';
import { MAIN, Workplace } from '../../support/process.js';

describe('The program, which is bundled', function () {
  this.timeout(30_000);

  it('has what its modules have for what it throws alone', async () => {
    const place = await Workplace.open();
    const { url } = await place.serve();
    const visitor = new Visitor(url);
    for (const body of ['name=%', 'name=%FF%FE', 'name=%ED%A0%80'])
      expect((await visitor.post('/panel/sign-in', body)).status, body).to.equal(400);
    expect((await visitor.post('/panel/sign-in', 'name=%C3%A4')).status).to.equal(403);
    await place.clear();
  });

  it('reads no directory in place of its standard input', async () => {
    const place = await Workplace.open();
    const command = spawn(process.execPath, [MAIN, 'automations', 'import', '-', '--developer', 'ada'], {
      env: { DATA_DIR: place.folder },
      stdio: [openSync(place.folder, 'r'), 'ignore', 'pipe'],
    });
    const ended = once(command, 'exit').then(([code]) => code as number);
    expect(await Promise.all([ended, text(command.stderr ?? expect.fail())])).to.deep.equal([
      1,
      'cannot read standard input: it is a directory\n',
    ]);
    await place.clear();
  });
});

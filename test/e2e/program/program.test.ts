import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Visitor } from '../../support/panel-visitor.js';
import { MAIN, preloaded, Workplace } from '../../support/process.js';

describe('The program, which is bundled', () => {
  it('has what its modules have for what it throws alone', async () => {
    const place = await Workplace.open();
    const { url } = await place.serve();
    const visitor = new Visitor(url);
    for (const body of ['name=%', 'name=%FF%FE', 'name=%ED%A0%80'])
      expect((await visitor.post('/panel/sign-in', body)).status, body).to.equal(400);
    expect((await visitor.post('/panel/sign-in', 'name=%C3%A4')).status).to.equal(403);
    await place.clear();
  });

  it('on a Node that is too old ends with 1 and one sentence', async () => {
    const place = await Workplace.open();
    for (const [node, code] of [
      ['18.20.8', 1],
      ['20.18.3', 1],
      ['20.19.0', 0],
      ['30.0.0', 0],
    ] as const) {
      const old = `Object.defineProperty(process,"versions",{value:{...process.versions,node:"${node}"}})`;
      const outcome = await place.run(['--version'], preloaded(old));
      expect(outcome.code, node).to.equal(code);
      const sentence = `This program needs Node 20.19 or later; this is Node ${node}.\n`;
      expect(outcome.stderr).to.equal(code === 1 ? sentence : '');
    }
    await place.clear();
  });

  it('without the binary of libsql says in one sentence what to install', async () => {
    const place = await Workplace.open();
    const missing =
      'import m from "node:module";const load=m._load;m._load=(n,...o)=>{if(n.startsWith("@libsql/linux")||' +
      'n.startsWith("@libsql/darwin")||n.startsWith("@libsql/win32"))throw Object.assign(new Error("no "+n),' +
      '{code:"MODULE_NOT_FOUND"});return load(n,...o)}';
    for (const words of [['serve'], ['keys', 'issue', '--developer', 'ada'], ['restore', MAIN]]) {
      const { code, stdout, stderr } = await place.run(words, preloaded(missing));
      expect({ code, stdout }, words[0]).to.deep.equal({ code: 1, stdout: '' });
      expect(stderr).to.match(
        /^STORAGE=sqlite needs the binary of libsql .* install again without --omit=optional.*\n$/,
      );
    }
    await place.clear();
  });

  it('by npm start drains and ends when npm gets SIGTERM; on Windows a file stands in for exec', async function () {
    expect(readFileSync('exec.cmd', 'utf8')).to.match(/\n@%\*\n$/);
    if (process.platform === 'win32') this.skip();
    const place = await Workplace.open({ STORAGE: 'memory' });
    const service = await place.serve({}, ['npm', '--prefix', process.cwd(), 'start']);
    await service.stop();
    expect(service.logged().map((line) => (JSON.parse(line) as { msg: string }).msg)).to.include.members(['stopped']);
    await fetch(service.url).then(
      () => expect.fail('it goes on'),
      () => undefined,
    );
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

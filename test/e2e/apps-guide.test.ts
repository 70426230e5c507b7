import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sqliteStorage } from '../../adapters/sql/sqlite/index.js';
import type { RegisteredApp } from '../../application/developer-apps.js';
import { newCore } from '../../application/index.js';
import { parseDeveloperId } from '../../domain/access.js';
import { answer } from '../support/oauth-app.js';
import { Visitor } from '../support/panel-visitor.js';
import { Workplace, type ServiceProcess } from '../support/process.js';
import { readmeExamples, ROOT } from '../support/readme.js';
import { signedIn } from '../support/signed-in.js';
import type { Sent } from '../support/socket.js';

const EXAMPLES = readmeExamples('docs/apps.md');
const ADA = parseDeveloperId('ada');
const BACK = ['http://127.0.0.1:8000/callback', 'https://app.example/callback'];

/** Returns the blocks of a part of the page, as one program. */
function partOf(title: string, language = 'sh'): string {
  const blocks = EXAMPLES.filter(({ heading, ...block }) => heading === title && block.language === language);
  expect(blocks, title).to.not.be.empty;
  return blocks.map(({ code }) => code).join('');
}

describe('docs/apps.md', function () {
  this.timeout(60_000);

  let place: Workplace;
  let service: ServiceProcess;
  let ada: Visitor;

  before(async () => {
    place = await Workplace.open();
    service = await place.serve();
    const { stdout } = await place.run(['developers', 'invite', ADA]);
    ada = new Visitor(service.url);
    await ada.accept(stdout.trim(), 'ada@example.com');
  });
  after(() => place.clear());

  /** Registers an app of ada, as the panel does. */
  async function register(kind: 'web' | 'native' | 'machine'): Promise<RegisteredApp> {
    const storage = sqliteStorage(place.database);
    try {
      const redirectUris = kind === 'machine' ? [] : BACK;
      const { apps } = newCore(storage);
      if (apps === undefined) throw new Error('SQLite has no records of an authorization server');
      return await apps.register(signedIn({ developerId: ADA }), { name: `Ada's ${kind}`, kind, redirectUris });
    } finally {
      await storage.close();
    }
  }

  /** Runs a part in a shell, with the values of this place. What it prints a line for is done, and typed in. */
  async function runs(
    part: string,
    { app, secret = '' }: RegisteredApp,
    act: (line: string) => Promise<string | undefined> = async () => undefined,
  ): Promise<string> {
    const script = part
      .replace(/^CLIENT_ID=.+$/m, `CLIENT_ID=${app.id}`)
      .replace(/^CLIENT_SECRET=.+$/m, `CLIENT_SECRET=${secret}`);
    return typing(['bash', '-euo', 'pipefail', '-c', `URL=${service.url}\n${script}`], {}, act);
  }

  it('says first where the marketplace is', () => {
    expect(EXAMPLES[0]?.code).to.equal('URL=https://market.example\n');
  });

  it('connects an app, refreshes and revokes with curl', async () => {
    const output = await runs(partOf('Connect an app'), await register('native'), async (line) =>
      line.includes('/oauth/auth?') ? answer(ada, new URL(line), 'allow') : undefined,
    );
    expect(output).to.include('"data":[').and.include('"page":1');
  });

  it('connects an app with openid-client', async () => {
    const { app, secret = '' } = await register('web');
    const program = partOf('The same in JavaScript', 'js');
    const environment = { URL: service.url, CLIENT_ID: app.id, CLIENT_SECRET: secret };
    const words = [process.execPath, '--input-type=module', '--eval', program];
    const output = await typing(words, environment, async (line) =>
      line.startsWith('Open ') ? answer(ada, new URL(line.slice('Open '.length)), 'allow') : undefined,
    );
    expect(output).to.include('200 automations:read automations:write');
  });

  it('connects a command line by a code that a person enters', async () => {
    const output = await runs(partOf('Connect a command line'), await register('native'), async (line) => {
      const [, address = '', code = ''] = /^Open (\S+) and enter (\S+)$/.exec(line) ?? [];
      if (code !== '') await enterCode(ada, address, code);
      return undefined;
    });
    expect(output).to.include('"data":[');
  });

  it('lets a machine publish', async () => {
    expect(await runs(partOf('Run machines'), await register('machine'))).to.include('"developer_id":"ada"');
  });
});

/** A person enters the code of a device, compares it, and allows. */
async function enterCode(visitor: Visitor, address: string, code: string): Promise<void> {
  const { pathname } = new URL(address);
  const send = async (page: string, fields: Readonly<Record<string, string>>) => {
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
    return visitor.post(pathname, new URLSearchParams({ user_code: code, xsrf, ...fields }).toString());
  };
  const compared = await send((await visitor.open(pathname)).body, {});
  expect(compared.body).to.include(code);
  const question = placeIn(await send(compared.body, { confirm: 'yes' }));
  await visitor.open(question);
  const resume = new URL(placeIn(await visitor.submit(question, { answer: 'allow' })), visitor.url);
  expect((await visitor.open(resume.pathname + resume.search)).status).to.equal(200);
}

function placeIn({ status, headers, body }: Sent): string {
  expect(status, body).to.equal(303);
  return headers.get('Location') ?? '';
}

/** Runs a program, types in what the lines that it prints lead to, and returns all that it printed. */
async function typing(
  [program = '', ...words]: readonly string[],
  environment: Readonly<Record<string, string>>,
  act: (line: string) => Promise<string | undefined>,
): Promise<string> {
  const env = { PATH: process.env['PATH'], ...environment };
  const child = spawn(program, words, { cwd: fileURLToPath(ROOT), env });
  const ended = once(child, 'close');
  const printed: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => printed.push(text));
  for await (const line of createInterface({ input: child.stdout })) {
    printed.push(line);
    const typed = await act(line);
    if (typed !== undefined) child.stdin.write(`${typed}\n`);
  }
  const [code] = (await ended) as [number | null];
  expect(code, printed.join('\n')).to.equal(0);
  return printed.join('\n');
}

import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import type { RegisteredApp } from '../../../application/developer-apps.js';
import { newCore } from '../../../application/index.js';
import { parseDeveloperId } from '../../../domain/access.js';
import { answer } from '../../support/oauth-app.js';
import { Visitor } from '../../support/panel-visitor.js';
import { Workplace, type ServiceProcess } from '../../support/process.js';
import { readmeExamples, ROOT } from '../../support/readme.js';
import { signedIn } from '../../support/signed-in.js';
import type { Sent } from '../../support/socket.js';

const EXAMPLES = readmeExamples('docs/apps.md');
const ADA = parseDeveloperId('ada');
/** A command in a block of docs/commands.md. */
const COMMAND = /^\$ npm run -s marketplace -- (.+)$/gm;
const EXAMPLE_ID = '01a2101f-60f6-7985-9678-af66672256a4';
const BACK = ['http://127.0.0.1:8000/callback', 'https://app.example/callback'];

/** Returns the blocks of a part of the page, as one program. */
function partOf(title: string, language = 'sh'): string {
  const blocks = EXAMPLES.filter(({ heading, ...block }) => heading === title && block.language === language);
  expect(blocks, title).to.not.be.empty;
  return blocks.map(({ code }) => code).join('');
}

describe('What the docs say of OAuth 2.0', () => {

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
  async function runs(part: string, { app, secret = '' }: RegisteredApp, act?: Act, expectedCode = 0): Promise<string> {
    const script = part
      .replace(/^CLIENT_ID=.+$/m, `CLIENT_ID=${app.id}`)
      .replace(/^CLIENT_SECRET=.+$/m, `CLIENT_SECRET=${secret}`);
    const start = EXAMPLES[0]?.code.replace(/^URL=.+$/m, `URL=${service.url}`);
    return typing(['bash', '--norc', '-c', `${start}${script}`], {}, act, expectedCode);
  }

  it('says first where the marketplace is', () => {
    expect(EXAMPLES[0]?.code).to.equal('set -euo pipefail\nURL=https://market.example\n');
  });

  it('connects an app, refreshes and revokes with curl', async () => {
    const output = await runs(partOf('Connect an app'), await register('native'), async (line) =>
      line.includes('/oauth/auth?') ? answer(ada, new URL(line), 'allow') : undefined,
    );
    expect(output).to.include('"data":[').and.include('"page":1');
  });

  for (const [name, value, message] of [
    ['state', 'foreign', 'This is the answer to another request.'],
    ['iss', 'https://elsewhere.example/oauth', 'This is the answer of another server.'],
  ] as const)
    it(`ends before the exchange when ${name} of the answer is another, also without set -e`, async () => {
      const part = partOf('Connect an app').replace(/^/, 'set +e\n');
      const output = await runs(
        part,
        await register('native'),
        async (line) => {
          if (!line.includes('/oauth/auth?')) return undefined;
          const forged = new URL(await answer(ada, new URL(line), 'allow'));
          forged.searchParams.set(name, value);
          return forged.href;
        },
        1,
      );
      expect(output.trimEnd().split('\n').at(-1)).to.equal(message);
    });

  it('connects an app whose verifier begins with a hyphen', async () => {
    const part = partOf('Connect an app').replace(/^VERIFIER=.+$/m, `VERIFIER=-${'x'.repeat(42)}`);
    const output = await runs(part, await register('native'), async (line) =>
      line.includes('/oauth/auth?') ? answer(ada, new URL(line), 'allow') : undefined,
    );
    expect(output).to.include('"page":1');
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

  it('ends an app and makes a new signing key by commands', async () => {
    const [, section = ''] = readFileSync('docs/commands.md', 'utf8').split('### End an app\n');
    const commands = Array.from(section.split('\n### ')[0]?.matchAll(COMMAND) ?? [], ([, words = '']) => words);
    expect(commands.map((words) => words.split(' ')[1])).to.deep.equal(['list', 'revoke', 'rotate-keys']);
    const { app } = await register('native');
    const outputs: string[] = [];
    for (const words of commands) {
      const { code, stdout, stderr } = await place.run(words.replace(EXAMPLE_ID, app.id).split(' '));
      expect(code, stderr).to.equal(0);
      outputs.push(stdout);
    }
    expect(outputs[0]).to.match(new RegExp(`^id .*\n${app.id}  ada `));
    expect(outputs[1]).to.equal(`app ${app.id} is revoked\n`);
    expect(outputs[2]).to.match(/^[\w-]{10,}\n$/);
  });

  it('shows by hand how an agent finds the server', async () => {
    const part = readmeExamples('docs/agents.md').find(({ language }) => language === 'sh')?.code ?? '';
    const script = part.replace('https://market.example', service.url);
    const output = await typing(['bash', '-euo', 'pipefail', '-c', script], {});
    expect(output)
      .to.include(`resource_metadata="${service.url}/.well-known/oauth-protected-resource/mcp"`)
      .and.include(`"authorization_servers":["${service.url}/oauth"]`)
      .and.include('"client_id_metadata_document_supported":true');
  });

  it('ends a command line with the error when the app was revoked meanwhile', async () => {
    const registered = await register('native');
    const revoke = async (line: string) => {
      if (line.startsWith('Open ')) await place.run(['apps', 'revoke', registered.app.id]);
      return undefined;
    };
    const output = await runs(partOf('Connect a command line'), registered, revoke, 1);
    expect(output).to.include('Not connected: {"error":"invalid_');
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

/** Does what a printed line asks a person for, and returns what they type in; undefined for nothing. */
type Act = (line: string) => Promise<string | undefined>;

/** Runs a program, types in what the lines that it prints lead to, and returns all that it printed. */
async function typing(
  [program = '', ...words]: readonly string[],
  environment: Readonly<Record<string, string>>,
  act: Act = async () => undefined,
  expectedCode = 0,
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
  expect(code, printed.join('\n')).to.equal(expectedCode);
  return printed.join('\n');
}

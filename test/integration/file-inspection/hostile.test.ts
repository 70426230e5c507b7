import { expect } from 'chai';
import { setImmediate } from 'node:timers/promises';
import { TableFileInspector } from '../../../adapters/file-inspection/index.js';
import { factsOf } from '../../../adapters/file-inspection/n8n/facts.js';
import { clean } from '../../../adapters/file-inspection/n8n/clean.js';
import { draw } from '../../../adapters/file-inspection/n8n/picture.js';
import type { Workflow } from '../../../adapters/file-inspection/n8n/workflow.js';
import { textsOf } from '../../../adapters/file-inspection/texts.js';
import { SECRETS } from './secrets.js';
import { cleaned, inspect, textOf, workflowOf } from './workflow.js';

const MEBIBYTE = 1_048_576;
const codesOf = async (content: unknown, name?: string) =>
  (await inspect(content, name)).violations.map(({ code }) => code);

/** Fills 1 MiB with copies of a text. */
const filled = (text: string) => text.repeat(Math.floor(MEBIBYTE / text.length));

const many = (length: number, valueOf: (n: number) => string) => Array.from({ length }, (_, n) => valueOf(n)).join();

/** Returns the value so that each member that is read from it, or below it, is counted. */
function counting<Value>(value: Value, count: () => void): Value {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get: (target, name, receiver) => {
      count();
      return counting(Reflect.get(target, name, receiver) as unknown, count);
    },
  });
}

describe('A hostile file', () => {
  it('without a name rejects, and does not throw', async () => {
    const inspecting = new TableFileInspector().inspect(undefined as never, new Uint8Array());
    expect(await inspecting.catch((error: unknown) => error)).to.be.instanceOf(TypeError);
  });

  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
    it(`may have steps and members of the name ${name}`, async () => {
      const text = `{"nodes":[
        {"type":"x.y","name":"${name}","position":[0,0],
         "parameters":{"${name}":{"a":1}},"credentials":{"${name}":{"b":1}}},
        {"type":"x.${name}","name":"other","position":[300,0],"${name}":{"polluted":true}}],
        "connections":{"${name}":{"${name}":[[{"node":"other"}]]},
         "other":{"main":[[{"node":"${name}"},{"node":"valueOf"}]]}},
        "${name}":{"polluted":true}}`;
      const found = await inspect(text);
      expect(found.removed).to.deep.include({ kind: 'credential', count: 1 });
      expect(found.facts).to.include({ brokenConnections: 1, unconnectedSteps: 0 });
      const left = textOf(found);
      expect(left)
        .to.include(`"parameters":{"${name}":{"a":1}},"credentials":{"${name}":{}}`)
        .and.not.include('polluted');
      expect(({} as { polluted?: unknown }).polluted).to.equal(undefined);
      expect(draw(JSON.parse(left) as Workflow)).to.be.a('string');
    });

  it('with as many nodes as it may have is read, and not drawn', async () => {
    const text = `{"nodes":[${many(9_000, () => '{"type":"a"}')}],"connections":{}}`;
    const { facts, platform } = await inspect(text);
    expect(platform).to.equal('n8n');
    expect(facts?.unconnectedSteps).to.equal(9_000);
  });

  it('of more than 20,000 values is refused, whatever they are', async () => {
    for (const value of ['1', '"a"', '{}', '{"type":"a"}', '[1,2]']) {
      const values = many(20_001, () => value);
      expect(await codesOf(`[${values}]`), value).to.deep.equal(['too-many-values']);
      expect(await codesOf(`{"nodes":[],"connections":{},"pinData":[${values}]}`, 'a.txt'), value).to.deep.equal([
        'too-many-values',
      ]);
    }
    expect(await codesOf(`[${many(19_999, () => '1')}]`)).to.deep.equal([]);
    expect(await codesOf(`["${',['.repeat(20_001)}"]`)).to.deep.equal([]);
    expect(await codesOf(filled('a,[{'), 'a.txt')).to.deep.equal([]);
  });

  it('of 1 MiB lets other work go on between its parts', async () => {
    let [isDone, turns] = [false, 0];
    const texts = filled('https://a.example b@c.example ').slice(2_000);
    const inspecting = inspect(workflowOf({ parameters: { texts }, webhookId: 'a' })).then(() => (isDone = true));
    for (; !isDone; turns += 1) await setImmediate();
    await inspecting;
    expect(turns).to.be.at.least(6);
  });

  it('with secrets below a long name, or behind many lines, is refused by their places', async () => {
    const secrets = SECRETS.flatMap(({ secret }) => [secret, secret, secret]);
    const { violations } = await inspect({ ['x'.repeat(500_000)]: secrets });
    expect(violations.length).to.be.greaterThan(SECRETS.length);
    expect(violations[0]?.place).to.match(/^x{39}… /);
    const lines = await inspect(`${'\n'.repeat(500_000)}${secrets.join('\n\n')}`, 'a.txt');
    expect(lines.violations.length).to.be.greaterThan(SECRETS.length);
    expect(lines.violations[0]?.place).to.match(/^line 5000\d\d$/);
  });

  it('with as many connections, members, hosts and addresses as it may have is read in part', async () => {
    const connections = `{"a":{"main":[[${many(9_000, () => '{"node":"a"}')}]]}}`;
    expect((await inspect(`{"nodes":[{"type":"a"}],"connections":${connections}}`)).facts?.brokenConnections).to.equal(
      9_000,
    );
    const texts = Array.from({ length: 19_000 }, (_, n) => `https://h${n}.example a${n}@b.example`);
    const { facts } = await inspect(workflowOf({ parameters: { texts } }));
    expect(facts?.remaining.hosts).to.have.length(50);
    expect(facts?.remaining.emails).to.have.length(50);
    expect(facts?.isComplete).to.equal(false);
  });

  it('of 1 MiB of brackets, quotes or backslashes is refused or stored', async () => {
    expect(await codesOf(filled('['))).to.deep.equal(['too-deep']);
    expect(await codesOf(filled('{"a":'))).to.deep.equal(['too-deep']);
    expect(await codesOf(filled('['), 'a.txt')).to.deep.equal([]);
    for (const text of ['"', '\\', '"\\', '\\"', '""', '[]', '{}', ' ', '\uFEFF', '-', '1', 'e', '0.'])
      expect(await codesOf(filled(text)), text).to.deep.equal(text === '1' ? ['inexact-number'] : ['invalid-json']);
    expect(await codesOf(`[${filled('1,').slice(0, -10)}1]`)).to.deep.equal(['too-many-values']);
    expect(await codesOf(JSON.stringify(filled('\\"[').slice(0, MEBIBYTE / 3)))).to.deep.equal([]);
    expect(await codesOf(`["${filled('[{\\"').slice(0, -2)}"]`)).to.deep.equal([]);
  });

  it('with members that are all cut is cut at once', async () => {
    const members = many(9_000, (n) => `"k${n}":[1]`);
    const left = await cleaned(`{${members},"nodes":[],"x":1,"connections":{}}`);
    expect(left).to.deep.equal({ nodes: [], connections: {} });
    const { removed } = await inspect(`{${members},"nodes":[],"x":1,"connections":{}}`);
    expect(removed).to.deep.equal([{ kind: 'other', count: 9_001 }]);
  });

  it('with one fault after the other reports the first ones', async () => {
    expect(await codesOf(`[${many(9_000, () => '1e999')}]`)).to.have.length(20);
    expect(await codesOf(`{${many(9_000, () => '"a":1')}}`)).to.have.length(20);
  });

  it('of 1 MiB that is almost a secret of each kind is read', async () => {
    for (const { secret, kind } of SECRETS) {
      const almost = secret.slice(0, secret.length / 2);
      for (const text of [almost, `${almost} `, almost.slice(0, 5), `${almost.slice(0, 4)}\n`])
        expect((await inspect(filled(text), 'a.txt')).violations.length, kind).to.be.at.most(15);
    }
    for (const text of [
      'Bearer ',
      'Basic  ',
      'a',
      '0',
      'A',
      '-',
      '@',
      'a@',
      'a.',
      'x:',
      '\nvalue\n',
      'token\nvalue\n',
      '://',
    ])
      expect((await inspect(filled(text), 'a.txt')).violations.length, text).to.be.at.most(5);
  });

  it('costs as many steps for each node, however many there are', async () => {
    const stepsOf = async (size: number) => {
      const node = { parameters: { url: 'https://a.example', b: [{ c: '$env' }] }, credentials: { slackApi: {} } };
      const workflow = workflowOf(...Array.from({ length: size }, () => node)) as Workflow;
      const text = JSON.stringify(workflow);
      let steps = 0;
      const counted = counting(workflow, () => {
        steps += 1;
      });
      await factsOf(counted, textsOf(counted).join('\n'));
      clean(text, counted);
      return steps;
    };
    expect((await stepsOf(1_000)) / (await stepsOf(100))).to.be.within(9, 11);
  });
});

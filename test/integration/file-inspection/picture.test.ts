import { expect } from 'chai';
import { drawFile } from '../../../adapters/file-inspection/index.js';
import { EXPORTED, workflowOf } from './workflow.js';

const draw = (content: unknown) => drawFile('n8n', Buffer.from(JSON.stringify(content)));
const drawn = (content: unknown) => draw(content) ?? expect.fail('no picture');
const titleOf = (svg: string) => /<title>(.*)<\/title>/.exec(svg)?.[1];

interface Rectangle {
  readonly x: number;
  readonly y: number;
}

/** The boxes of steps. */
function boxesOf(svg: string): readonly Rectangle[] {
  return Array.from(svg.matchAll(/<g><rect x="(-?\d+)" y="(-?\d+)"/g), ([, x, y]) => ({ x: Number(x), y: Number(y) }));
}

describe('The picture of a workflow of n8n', () => {
  it('has a box for each step, a line for each connection, and a text for those who do not see it', () => {
    const svg = drawn(EXPORTED);
    expect(boxesOf(svg)).to.have.length(2);
    expect(svg.match(/<path /g)).to.have.length(1);
    expect(titleOf(svg)).to.equal('Notify: 2 nodes, 1 connection, started by Webhook');
    expect(svg).to.include(`role="img" aria-label="${titleOf(svg)}"`);
    for (const text of ['>Webhook<', '>Sheet<', '>googleSheets<', '>GS<']) expect(svg).to.include(text);
  });

  it('draws the parts of an agent dashed and notes without their text', () => {
    const nodes = [
      { name: 'Agent', type: '@n8n/n8n-nodes-langchain.agent', position: [0, 0] },
      { name: 'Model', type: '@n8n/n8n-nodes-langchain.lmChatOpenAi', position: [0, 200] },
      {
        name: 'Note',
        type: 'n8n-nodes-base.stickyNote',
        position: [-50, -50],
        parameters: { content: 'SECRET', width: 7 },
      },
    ];
    const svg = drawn({ nodes, connections: { Model: { ai_languageModel: [[{ node: 'Agent' }]] } } });
    expect(svg).to.match(/<path stroke-dasharray="4" d="M84 \d+C/);
    expect(svg).to.not.include('SECRET');
    expect(titleOf(svg)).to.equal('2 nodes, 1 connection, no trigger');
  });

  it('has no two boxes on each other where steps stand close', () => {
    const places = Array.from({ length: 30 }, (_, n) => [(n % 6) * 130 + (n % 2), Math.floor(n / 6) * 90 - 200]);
    const boxes = boxesOf(drawn(workflowOf(...places.map((position) => ({ position })))));
    const overlaps = boxes.flatMap((one, index) =>
      boxes.slice(index + 1).filter((other) => Math.abs(one.x - other.x) < 168 && Math.abs(one.y - other.y) < 56),
    );
    expect(overlaps).to.deep.equal([]);
  });

  it('has the colours of the page in which it stands, without scripts, styles, ids or addresses', () => {
    const svg = drawn(EXPORTED);
    expect(svg).to.include('currentColor');
    expect(svg.replace('http://www.w3.org/2000/svg', '')).to.not.match(
      /<script|<style| style=| id=|href|url\(|http| on\w+=/i,
    );
  });

  for (const [name, shown] of [
    ['<script>alert(1)</script>', '&#60;script&#62;alert(1)…'],
    ['"><img src=x>', '&#34;&#62;&#60;img src=x&#62;'],
    [`it's & "so"`, 'it&#39;s &#38; &#34;so&#34;'],
    [']]>', ']]&#62;'],
    ['a\u0000\u0008\uD800\uFFFEb', 'a\uFFFD\uFFFD\uFFFD\uFFFDb'],
    ['W'.repeat(300_000), `${'W'.repeat(16)}…`],
    ['🙂'.repeat(300), `${'🙂'.repeat(8)}…`],
    ['一二三四五六七八九十', '一二三四五六七八…'],
    ['', ''],
  ] as const)
    it(`shows the name ${JSON.stringify(name.slice(0, 30))} as text that is short enough`, () => {
      const svg = drawn({ name, ...workflowOf({ name, type: `x.${name}Trigger` }) });
      expect(svg).to.include(`>${shown}</tspan>`);
      expect(svg).to.not.match(/<(?!\/?(?:svg|title|g|rect|text|tspan|path)[ >])/);
      expect(svg).to.not.match(/[\0-\x08\uFFFE]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
      expect(svg.length).to.be.below(4_000);
    });

  it('breaks names between words', () => {
    expect(drawn(workflowOf({ name: 'Send a message to the whole team' }))).to.match(
      />Send a message to<.*>the whole team</,
    );
  });

  for (const [title, content] of Object.entries({
    'above 300 nodes': workflowOf(...Array.from({ length: 301 }, () => ({}))),
    'without nodes': workflowOf(),
    'with notes alone': workflowOf({ type: 'n8n-nodes-base.stickyNote' }),
    'with a position that is a text': workflowOf({}, { position: ['0', 0] }),
    'with a position of one number': workflowOf({ position: [1] }),
    'with a position off the canvas': workflowOf({ position: [1e300, 0] }),
    'without a position': workflowOf({ position: undefined }),
    'above 1,000 connections': {
      ...workflowOf({}),
      connections: { a: { main: [Array.from({ length: 1_001 }, () => ({ node: 'a' }))] } },
    },
    'of another platform': { a: 1 },
  }))
    it(`is none for a workflow ${title}`, () => {
      expect(draw(content)).to.equal(undefined);
    });

  it('is none for what is no JSON, and for a platform that is not known', () => {
    expect(drawFile('n8n', Buffer.from('{'))).to.equal(undefined);
    expect(drawFile('n8n', Buffer.of(0xff))).to.equal(undefined);
    expect(drawFile('constructor', Buffer.from(JSON.stringify(EXPORTED)))).to.equal(undefined);
  });

  it('is drawn of 300 nodes that stand on one place', () => {
    expect(boxesOf(drawn(workflowOf(...Array.from({ length: 300 }, () => ({ position: [5, 5] })))))).to.have.length(
      300,
    );
  });
});

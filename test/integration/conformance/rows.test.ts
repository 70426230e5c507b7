import { expect } from 'chai';
import { problemOf, slugOf, type Answer } from '../../../adapters/conformance/answer.js';
import { rowFaults } from '../../../adapters/conformance/row-faults.js';
import type { Row } from '../../../adapters/conformance/rows/row.js';
import { TABLE } from '../../../adapters/conformance/rows/table.js';
import { PROBLEMS, type ProblemSlug } from '../../../adapters/edge/problems/table.js';
import { overMemory } from '../../support/repositories.js';
import { speak } from '../http/hostile/ask.js';
import { bytesOf, openRun, type Run } from '../http/hostile/run.js';
import { WIRE_ROWS } from '../http/hostile/wire-rows.js';

const ROWS = Object.values(TABLE).flat();

type Json = Record<string, unknown> & { errors?: { pointer?: string; parameter?: string }[] };

/** Makes a wrong answer of the right one to a row; undefined where the row says nothing of it. */
type Fault = (answer: Answer, row: Row) => Answer | undefined;

function withHeader(answer: Answer, name: string, value?: string): Answer {
  const headers = new Headers(answer.headers);
  if (value === undefined) headers.delete(name);
  else headers.set(name, value);
  return { ...answer, headers };
}

function withBody(answer: Answer, change: (value: Json) => void): Answer {
  const value = JSON.parse(answer.body) as Json;
  change(value);
  return { ...answer, body: JSON.stringify(value) };
}

const isProblem = ({ status, method }: Answer) => status >= 400 && method !== 'HEAD';
const onProblem =
  (change: (value: Json, row: Row) => void): Fault =>
  (answer, row) =>
    isProblem(answer) ? withBody(answer, (value) => change(value, row)) : undefined;
const onFields =
  (change: (value: Json) => void): Fault =>
  (answer, { fields }) =>
    fields === undefined || !isProblem(answer) ? undefined : withBody(answer, change);

const FAULTS: Readonly<Record<string, Fault>> = {
  'another status': (answer) => ({ ...answer, status: 418 }),
  'a success in place of a refusal': (answer) => (answer.status >= 400 ? { ...answer, status: 200 } : undefined),
  'a refusal in place of a success': (answer) => (answer.status < 400 ? { ...answer, status: 400 } : undefined),
  'another type of problem': onProblem((value) => Object.assign(value, { type: '/problems/x', code: 'x' })),
  'another type of problem of the same status': onProblem((value, { slug }) => {
    const other = slug === 'malformed-json' ? 'malformed-request' : 'malformed-json';
    Object.assign(value, { type: `/problems/${other}`, code: other });
  }),
  'a type without its code': onProblem((value) => delete value['code']),
  'another status in the body': onProblem((value) => (value['status'] = 200)),
  'another request id in the body': onProblem((value) => (value['instance'] = 'x')),
  'no detail': onProblem((value) => (value['detail'] = '')),
  'a stack': onProblem((value) => (value['detail'] = 'Error at f (/srv/app.js:1:2)')),
  'a key': onProblem((value) => (value['detail'] = `amk_${'x'.repeat(36)} is unknown`)),
  'more than 8 KiB': onProblem((value) => (value['detail'] = 'x'.repeat(8 * 1024))),
  'a member of its own': onProblem((value) => (value['stack'] = 'x')),
  'a field that is not named': onFields((value) => value.errors?.splice(0, 1)),
  'a field that is right': onFields((value) =>
    value.errors?.push({ ...value.errors[0], pointer: '/x', parameter: 'x' }),
  ),
  'a body that is no JSON': (answer) => (answer.body === '' ? undefined : { ...answer, body: '<html>' }),
  'a list as its body': (answer) => (answer.body === '' ? undefined : { ...answer, body: '[]' }),
  'a body where there is none': ({ body, ...answer }) => (body === '' ? { ...answer, body: '{}' } : undefined),
  'another type of content': (answer) =>
    answer.body === '' ? undefined : withHeader(answer, 'Content-Type', 'text/html'),
  'no request id': (answer) => withHeader(answer, 'X-Request-Id'),
  'an illegal request id': (answer) => withHeader(answer, 'X-Request-Id', 'a b'),
  'leave to guess its type': (answer) => withHeader(answer, 'X-Content-Type-Options'),
  'leave for every origin': (answer) => withHeader(answer, 'Access-Control-Allow-Origin', '*'),
  'the name of its software': (answer) => withHeader(answer, 'X-Powered-By', 'Express'),
  'leave to keep it': (answer) => withHeader(answer, 'Cache-Control', 'public, max-age=60'),
  'no Vary': (answer) => withHeader(answer, 'Vary'),
  'no entity tag': (answer) => ([200, 304].includes(answer.status) ? withHeader(answer, 'ETag') : undefined),
  'a weak entity tag': (answer) =>
    [200, 304].includes(answer.status) ? withHeader(answer, 'ETag', `W/${answer.headers.get('ETag')}`) : undefined,
  'no Location': (answer) => (answer.status === 201 ? withHeader(answer, 'Location') : undefined),
  'no Allow': (answer) => ([204, 405].includes(answer.status) ? withHeader(answer, 'Allow') : undefined),
  'no challenge': (answer) => ([401, 403].includes(answer.status) ? withHeader(answer, 'WWW-Authenticate') : undefined),
  'another realm': (answer) =>
    [401, 403].includes(answer.status) ? withHeader(answer, 'WWW-Authenticate', 'Bearer realm="x"') : undefined,
  'a promised header with another value': (answer, { answer: promised = {} }) => {
    const name = Object.keys(promised).find((one) => promised[one] !== null);
    return name === undefined ? undefined : withHeader(answer, name, 'x');
  },
  'a header that is ruled out': (answer, { answer: promised = {} }) => {
    const name = Object.keys(promised).find((one) => promised[one] === null);
    return name === undefined ? undefined : withHeader(answer, name, 'x');
  },
};

/** Problems that no request alone causes. */
const NOT_BY_ONE_REQUEST = [
  ...['cross-site-request', 'request-timeout', 'conflict', 'quota-exceeded'],
  ...['internal-error', 'unavailable', 'overloaded', 'outcome-unknown'],
];

describe('The rows of the wire contract', () => {
  let run: Run;
  const answers = new Map<Row, Answer>();
  before(async () => {
    run = await openRun(overMemory());
    for (const row of [...ROWS, ...WIRE_ROWS]) {
      const bytes = bytesOf(row, run.names);
      const { answers: given } = await speak(run.service.port, bytes, { head: row.method === 'HEAD' });
      if (given[0] !== undefined) answers.set(row, given[0]);
    }
  });
  after(() => run.service.close());

  it('are answered by our service as they say, each with a sentence of its own', () => {
    expect(ROWS.length).to.be.greaterThan(700);
    expect(new Set(ROWS.map(({ title }) => title)).size).to.equal(ROWS.length);
    for (const row of ROWS) expect(row.title).to.match(/^\S.* is answered with \d{3}(?: [a-z-]+)?$/s);
    const wrong = ROWS.filter((row) => rowFaults(row, answers.get(row) as Answer, run.names).length > 0);
    expect(wrong.map(({ title }) => title)).to.deep.equal([]);
  });

  it('get problems with the titles of the catalogue, and of each type one with its detail', () => {
    const problems = Array.from(answers.values()).filter(isProblem);
    const found = new Map<string, Set<string>>();
    for (const answer of problems) {
      const [slug, { title, detail }] = [slugOf(answer) as ProblemSlug, problemOf(answer)];
      expect(title).to.equal(PROBLEMS[slug].title);
      found.set(slug, (found.get(slug) ?? new Set()).add(detail));
    }
    const others = Object.keys(PROBLEMS).filter((slug) => !found.has(slug));
    expect(others).to.have.members(NOT_BY_ONE_REQUEST);
    for (const [slug, details] of found)
      expect(Array.from(details), slug).to.include(PROBLEMS[slug as ProblemSlug].detail);
  });

  for (const [fault, make] of Object.entries(FAULTS))
    it(`notice an answer with ${fault}, each of them that is about it`, () => {
      const broken = ROWS.flatMap((row) => {
        const answer = make(answers.get(row) as Answer, row);
        return answer === undefined ? [] : [[row, answer] as const];
      });
      expect(broken.length).to.be.greaterThan(0);
      const unnoticed = broken.filter(([row, answer]) => rowFaults(row, answer, run.names).length === 0);
      expect(unnoticed.map(([{ title }]) => title)).to.deep.equal([]);
    });
});

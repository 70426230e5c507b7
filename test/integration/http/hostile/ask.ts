import { openApiDocument } from '../../../../adapters/api/openapi/document.js';
import { parseCurrency } from '../../../../domain/currency.js';
import { answerChecker } from '../../../support/openapi-check.js';
import { converse, type Patience, type RawAnswer } from '../../../support/raw.js';
import { faultsOf, type Answer } from '../../../../adapters/conformance/answer.js';

export interface Question {
  readonly method?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Asks with fetch. Every answer is judged here, once for all suites. */
export async function ask(url: string, { method = 'GET', key, headers = {}, body }: Question = {}): Promise<Answer> {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(key !== undefined && { Authorization: `Bearer ${key}` }), ...headers },
    ...(body !== undefined && { body }),
  });
  const target = url.replace(/^https?:\/\/[^/]*/, '');
  return judged({ method, target, status: response.status, headers: response.headers, body: await response.text() });
}

/** Offers an automation, or whatever else the body is. */
export function offer(
  url: string,
  key: string,
  draft: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const body = typeof draft === 'string' || Buffer.isBuffer(draft) ? draft : JSON.stringify(draft);
  return ask(`${url}/api/automations`, {
    method: 'POST',
    key,
    body,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
}

export interface Spoken {
  /** The final answers. */
  readonly answers: readonly Answer[];
  /** The statuses of all, interim ones included. */
  readonly statuses: readonly number[];
  readonly closed: boolean;
}

/** Asks with bytes on a socket; the answers are judged as those of fetch are, and the first one by its request. */
export async function speak(port: number, said: string | Buffer, patience: Patience = {}): Promise<Spoken> {
  const { answers, closed } = await converse(port, said, patience);
  const final = answers.filter(({ status }) => status >= 200);
  return {
    answers: final.map((answer, i) => judged(answerOf(answer, i === 0 ? said : '', patience.head ?? false))),
    statuses: answers.map(({ status }) => status),
    closed,
  };
}

/** The answer to these bytes, in the terms of the judge. */
export function answerOf({ status, headers, body }: RawAnswer, said: string | Buffer, head: boolean): Answer {
  const [method = '', target = ''] = words(said);
  const all = new Headers();
  for (const [name, value] of headers) all.append(name, value);
  return { method: head ? 'HEAD' : method, target, status, headers: all, body: body.toString() };
}

function words(said: string | Buffer): readonly string[] {
  const start = said.slice(0, MAX_LINE_BYTES);
  return (typeof start === 'string' ? start : start.toString('latin1')).split(/[ \r\n]/, 2);
}

/** In bytes: of a longer request line only the start is read. */
const MAX_LINE_BYTES = 16 * 1024;

const isDocumented = answerChecker(openApiDocument({ currency: parseCurrency('USD'), version: '0' }));
const UNDER_A_BASE = /^(?:[A-Za-z]+:\/\/[^/?]+)?\/(?:api|v1)(?:[/?]|$)/;

/** What only ours never says: words of a driver, or of JavaScript. */
const LEAK = /sqlite|libsql|ajv|raw-body|amk_|\bundefined\b|\[object/i;

/** Returns what is wrong with an answer of ours beyond what the contract promises of every server. */
function ownFaults({ status, method, headers, body }: Answer): readonly string[] {
  const isWhole = headers.get('content-length') === String(Buffer.byteLength(body));
  const type = status >= 400 ? 'application/problem+json' : 'application/json; charset=utf-8';
  const words = body.replaceAll(/"(?:pointer|parameter)":"(?:[^"\\]|\\.)*"/g, '');
  return [
    ...(isWhole || method === 'HEAD' || status === 204 || status === 304 ? [] : ['Content-Length']),
    ...(status === 204 || status === 304 || headers.get('content-type') === type ? [] : ['Content-Type']),
    ...(status >= 400 && LEAK.test(words) ? ['something that leaked'] : []),
  ];
}

export function judged(answer: Answer): Answer {
  try {
    const wrong = [...faultsOf(answer), ...ownFaults(answer)];
    if (wrong.length > 0) throw new Error(`wrong: ${wrong.join(', ')}`);
    if (UNDER_A_BASE.test(answer.target)) isDocumented(answer.method, answer.target, answer, answer.body);
    return answer;
  } catch (error) {
    const { method, target, status, body } = answer;
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${method} ${target.slice(0, 200)} was answered ${status} ${body.slice(0, 400)}: ${why}`, {
      cause: error,
    });
  }
}

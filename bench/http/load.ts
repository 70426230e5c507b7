import autocannon from 'autocannon';
import { draftJson, newAutomations, newCategories, randomNumbers } from '../catalogue.js';
import { someIds } from './checks.js';
import type { Subject } from './subjects.js';

const CONNECTIONS = 64;
/** Different requests per connection. */
const VARIETY = 16;

/** One kind of request, in many variants. */
export interface Task {
  readonly name: string;
  readonly requests: readonly autocannon.Request[];
  /** Of the answers that are expected. */
  readonly status: number;
}

export interface Outcome {
  readonly perSecond: number;
  /** Latency that 99 of 100 requests stay below, in milliseconds. */
  readonly p99: number;
  readonly errors: number;
  /** Processor time of the server per request, in microseconds: what hardly changes when the machine is busy with other things. */
  readonly cpu: number;
  /** How much of a core the server used; well below 1 it waited for the disk, or for the load. */
  readonly busy: number;
}

/** The same tasks for every server; only the ids of the automations differ. */
export async function tasksFor(subject: Subject, count: number, categories: number): Promise<readonly Task[]> {
  const random = randomNumbers(1);
  const pages = Array.from({ length: CONNECTIONS * VARIETY }, () => 1 + Math.floor((random() * count) / 20));
  const ids = await someIds(subject, pages.slice(0, 60));
  const drafts = Array.from(newAutomations(CONNECTIONS * VARIETY, newCategories(categories)), draftJson);
  const headers = { authorization: `Bearer ${subject.key}` };
  const get = (path: string): autocannon.Request => ({ method: 'GET', path, headers });
  return [
    { name: 'list, newest 20', status: 200, requests: [get('/api/automations?limit=20')] },
    { name: 'list, random pages', status: 200, requests: pages.map((page) => get(`/api/automations?page=${page}&limit=20`)) },
    { name: 'get', status: 200, requests: ids.map((id) => get(`/api/automations/${id}`)) },
    {
      name: 'create',
      status: 201,
      requests: drafts.map((body) => ({
        method: 'POST',
        path: '/api/automations',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      })),
    },
  ];
}

/** The newest page, asked for by those who have it already. */
export async function unchanged({ url, key }: Subject): Promise<Task> {
  const path = '/api/automations?limit=20';
  const headers = { authorization: `Bearer ${key}` };
  const etag = (await fetch(url + path, { headers })).headers.get('etag') ?? '';
  return { name: 'list, not modified', status: 304, requests: [{ method: 'GET', path, headers: { ...headers, 'if-none-match': etag } }] };
}

/** Loads a server with one task for so many seconds. */
export async function load(subject: Subject, { requests, status }: Task, seconds: number, connections = CONNECTIONS): Promise<Outcome> {
  let connection = 0;
  const cpuBefore = await subject.cpuTime();
  const result = await autocannon({
    url: subject.url,
    connections,
    duration: seconds,
    setupClient: (client) => {
      const own = Array.from({ length: VARIETY }, (_, variant) => requests[(connection + variant * connections) % requests.length]);
      client.setRequests(own as autocannon.Request[]);
      connection += 1;
    },
  });
  const cpu = (await subject.cpuTime()) - cpuBefore;
  const answered = result['2xx'] + result.non2xx;
  const expected = result.statusCodeStats?.[`${status}`]?.count ?? 0;
  return {
    perSecond: expected / result.duration,
    p99: result.latency.p99,
    errors: answered - expected + result.errors + result.timeouts,
    cpu: cpu / answered,
    busy: cpu / 1e6 / result.duration,
  };
}

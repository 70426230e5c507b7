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
    { name: 'list, newest 20', requests: [get('/api/automations?limit=20')] },
    { name: 'list, random pages', requests: pages.map((page) => get(`/api/automations?page=${page}&limit=20`)) },
    { name: 'get', requests: ids.map((id) => get(`/api/automations/${id}`)) },
    {
      name: 'create',
      requests: drafts.map((body) => ({
        method: 'POST',
        path: '/api/automations',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      })),
    },
  ];
}

/** Loads a server with one task for so many seconds. */
export async function load(subject: Subject, { requests }: Task, seconds: number, connections = CONNECTIONS): Promise<Outcome> {
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
  return {
    perSecond: result['2xx'] / result.duration,
    p99: result.latency.p99,
    errors: result.non2xx + result.errors + result.timeouts,
    cpu: cpu / (result['2xx'] + result.non2xx),
    busy: cpu / 1e6 / result.duration,
  };
}

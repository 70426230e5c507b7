import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Answered } from '../adapters/http/index.js';
import { PROBLEMS } from '../adapters/http/problems.js';
import { DomainError } from '../domain/errors.js';

/** What the service knows of itself when it is asked. */
interface Gauges {
  readonly underWay: () => number;
  /** By category. Rejects when the storage is out of reach; then nothing is said of it. */
  readonly automationsOnSale: () => Promise<ReadonlyMap<string, number>>;
}

/** Of one kind of request. */
interface Answers {
  readonly labels: { readonly method: string; readonly route: string; readonly status: number };
  readonly duration: Histogram.Internal<'method' | 'route'>;
  count: number;
}

/** Of one kind of call. */
interface Calls {
  readonly labels: { readonly repository: string; readonly call: string; readonly outcome: string };
  count: number;
}

/** In seconds; a list of 20 takes a tenth of a millisecond, a write waits for disks and elections. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * The figures of this process in Prometheus's text format; `docs/metrics.md` says what each is good for. What is counted with each request
 * is counted in plain numbers, which prom-client gets when it is asked: it would look the labels up each time.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #answers = new Map<string, Answers>();
  readonly #calls = new Map<string, Calls>();
  readonly #durations = new Histogram({
    name: 'marketplace_http_request_duration_seconds',
    help: 'From the turn of a request to the last byte of its answer.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers: [this.#registry],
  });
  #shed = 0;
  #limited = 0;
  #aborted = 0;

  constructor(gauges: Gauges) {
    collectDefaultMetrics({ register: this.#registry });
    const requests = 'Requests answered, or given up by their clients.';
    this.#counters('marketplace_http_requests_total', requests, ['method', 'route', 'status'], () => this.#answers.values());
    const calls = 'Calls of repositories, by what became of them: ok, or the kind of the failure.';
    this.#counters('marketplace_repository_calls_total', calls, ['repository', 'call', 'outcome'], () => this.#calls.values());
    this.#counter('marketplace_http_requests_shed_total', 'Requests refused because of overload.', () => this.#shed);
    this.#counter('marketplace_http_requests_limited_total', 'Requests refused because a quota was used up.', () => this.#limited);
    this.#counter('marketplace_http_requests_aborted_total', 'Requests that their clients gave up.', () => this.#aborted);
    this.#gauges(gauges);
  }

  /** Counts a request that is over. */
  countAnswer(answered: Answered): void {
    const answers = this.#answersLike(answered);
    answers.count += 1;
    answers.duration.observe(answered.duration / 1000);
    if (answered.status === PROBLEMS['quota-exceeded'].status) this.#limited += 1;
    if (answered.aborted) this.#aborted += 1;
  }

  /** How long it took to refuse says nothing of how long answers take. */
  countShed(answered: Answered): void {
    this.#shed += 1;
    this.#answersLike(answered).count += 1;
  }

  /** The same repository, each call of which is counted. */
  measured<Port extends object>(port: Port, repository: string): Port {
    const calls = callsOf(port).map((call): [string, unknown] => [call, this.#counted(port, repository, call)]);
    return Object.assign(Object.create(port) as Port, Object.fromEntries(calls));
  }

  async text(): Promise<{ readonly type: string; readonly body: string }> {
    return { type: this.#registry.contentType, body: await this.#registry.metrics() };
  }

  #answersLike({ method, route, status }: Answers['labels']): Answers {
    const name = `${method} ${route} ${status}`;
    const known = this.#answers.get(name);
    if (known !== undefined) return known;
    const answers = { labels: { method, route, status }, duration: this.#durations.labels({ method, route }), count: 0 };
    this.#answers.set(name, answers);
    return answers;
  }

  #counted(port: object, repository: string, call: string): (...given: unknown[]) => Promise<unknown> {
    const method = Reflect.get(port, call) as (...given: unknown[]) => Promise<unknown>;
    const fine = this.#callsOf(repository, call, 'ok');
    const succeeded = (answer: unknown): unknown => {
      fine.count += 1;
      return answer;
    };
    const failed = (error: unknown): never => {
      this.#callsOf(repository, call, error instanceof DomainError ? error.kind : 'failed').count += 1;
      throw error;
    };
    return (...given) => method.apply(port, given).then(succeeded, failed);
  }

  #callsOf(repository: string, call: string, outcome: string): Calls {
    const name = `${repository} ${call} ${outcome}`;
    const calls = this.#calls.get(name) ?? { labels: { repository, call, outcome }, count: 0 };
    this.#calls.set(name, calls);
    return calls;
  }

  #counter(name: string, help: string, count: () => number): void {
    this.#counters(name, help, [], () => [{ labels: {}, count: count() }]);
  }

  #counters(name: string, help: string, labelNames: string[], counted: () => Iterable<{ labels: object; count: number }>): void {
    new Counter({
      name,
      help,
      labelNames,
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const { labels, count } of counted()) this.inc({ ...labels }, count);
      },
    });
  }

  #gauges(gauges: Gauges): void {
    new Gauge({
      name: 'marketplace_http_requests_in_flight',
      help: 'Requests under way.',
      registers: [this.#registry],
      collect() {
        this.set(gauges.underWay());
      },
    });
    new Gauge({
      name: 'marketplace_automations_on_sale',
      help: 'Automations on sale, by category.',
      labelNames: ['category'],
      registers: [this.#registry],
      async collect() {
        this.reset();
        for (const [category, count] of await gauges.automationsOnSale().catch(() => [])) this.set({ category }, count);
      },
    });
  }
}

function callsOf(port: object): readonly string[] {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(port));
  return names.filter((name) => name !== 'constructor' && typeof Reflect.get(port, name) === 'function');
}

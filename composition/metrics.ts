import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Answered } from '../adapters/http/index.js';
import { DomainError } from '../domain/errors.js';

/** What the service knows of itself when it is asked. */
export interface Gauges {
  underWay(): number;
  /** By category. Rejects when the storage is out of reach; then nothing is said of it. */
  automationsOnSale(): Promise<ReadonlyMap<string, number>>;
}

/** Of one kind of request. */
interface Children {
  readonly count: Counter.Internal;
  readonly time: Histogram.Internal<'method' | 'route'>;
}

/** In seconds; a list of 20 takes a tenth of a millisecond, a write waits for disks and elections. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The figures of this process in Prometheus's text format; `docs/metrics.md` says what each is good for. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Counter({
    name: 'marketplace_http_requests_total',
    help: 'Requests answered, or given up by their clients.',
    labelNames: ['method', 'route', 'status'],
    registers: [this.#registry],
  });
  readonly #durations = new Histogram({
    name: 'marketplace_http_request_duration_seconds',
    help: 'From the headers of a request to the last byte of its answer.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers: [this.#registry],
  });
  readonly #shed = this.#counter('marketplace_http_requests_shed_total', 'Requests refused because of overload.');
  readonly #limited = this.#counter('marketplace_http_requests_limited_total', 'Requests refused because a quota was used up.');
  readonly #aborted = this.#counter('marketplace_http_requests_aborted_total', 'Requests that their clients gave up.');
  readonly #calls = new Counter({
    name: 'marketplace_repository_calls_total',
    help: 'Calls of repositories, by what became of them: ok, or the kind of the failure.',
    labelNames: ['repository', 'call', 'outcome'],
    registers: [this.#registry],
  });
  readonly #callDurations = new Histogram({
    name: 'marketplace_repository_call_duration_seconds',
    help: 'How long calls of repositories took.',
    labelNames: ['repository', 'call'],
    buckets: BUCKETS,
    registers: [this.#registry],
  });

  readonly #children = new Map<string, Children>();

  constructor(gauges: Gauges) {
    collectDefaultMetrics({ register: this.#registry });
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

  /** @see Answered */
  readonly countAnswer = ({ method, route, status, duration, aborted }: Answered): void => {
    const { count, time } = this.#childrenOf(method, route, status);
    count.inc();
    time.observe(duration / 1000);
    if (status === 429) this.#limited.inc();
    if (aborted) this.#aborted.inc();
  };

  readonly countShed = (): void => this.#shed.inc();

  /** The same repository, each call of which is counted. */
  measured<Port extends object>(port: Port, repository: string): Port {
    const calls = callsOf(port).map((call): [string, unknown] => [call, this.#counted(port, repository, call)]);
    return Object.assign(Object.create(port) as Port, Object.fromEntries(calls));
  }

  async text(): Promise<{ readonly type: string; readonly body: string }> {
    return { type: this.#registry.contentType, body: await this.#registry.metrics() };
  }

  /** Looked up once for each combination there is: prom-client would put the labels together anew each time. */
  #childrenOf(method: string, route: string, status: number): Children {
    const name = `${method} ${route} ${status}`;
    const known = this.#children.get(name);
    if (known !== undefined) return known;
    const children = { count: this.#requests.labels({ method, route, status }), time: this.#durations.labels({ method, route }) };
    this.#children.set(name, children);
    return children;
  }

  #counter(name: string, help: string): Counter {
    return new Counter({ name, help, registers: [this.#registry] });
  }

  #counted(port: object, repository: string, call: string): (...given: unknown[]) => Promise<unknown> {
    const method = Reflect.get(port, call) as (...given: unknown[]) => Promise<unknown>;
    const durations = this.#callDurations.labels({ repository, call });
    const fine = this.#calls.labels({ repository, call, outcome: 'ok' });
    return async (...given) => {
      const began = performance.now();
      try {
        const answer = await method.apply(port, given);
        fine.inc();
        return answer;
      } catch (error) {
        this.#calls.inc({ repository, call, outcome: error instanceof DomainError ? error.kind : 'failed' });
        throw error;
      } finally {
        durations.observe((performance.now() - began) / 1000);
      }
    };
  }
}

function callsOf(port: object): readonly string[] {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(port));
  return names.filter((name) => name !== 'constructor' && typeof Reflect.get(port, name) === 'function');
}

import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { CompletedRequest } from '../../adapters/api/index.js';
import type { MetricsOptions } from '../../adapters/edge/probes/metrics.js';
import { DomainError } from '../../domain/errors.js';
import { isThenable } from '../../application/safe-call.js';

/** Seconds: a list of 20 takes a tenth of a millisecond, a write waits for disks and elections. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const TEXT_AGE_MS = 1_000;

type MetricsText = Awaited<ReturnType<MetricsOptions['text']>>;

/** The metrics of this process in Prometheus's text format; `docs/metrics.md` explains each. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #registers = [this.#registry];
  readonly #requests = new Counter({
    name: 'marketplace_http_requests_total',
    help: 'Requests answered, or given up by their clients.',
    labelNames: ['method', 'route', 'status'],
    registers: this.#registers,
  });
  readonly #durations = new Histogram({
    name: 'marketplace_http_request_duration_seconds',
    help: 'From the complete headers of a request to the last byte of its response.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers: this.#registers,
  });
  readonly #calls = new Counter({
    name: 'marketplace_repository_calls_total',
    help: 'Calls of repositories, by outcome: ok, or the kind of the failure.',
    labelNames: ['repository', 'call', 'outcome'],
    registers: this.#registers,
  });
  readonly #shed = this.#counter('marketplace_http_requests_shed_total', 'Requests refused because of overload.');
  readonly #limited = this.#counter(
    'marketplace_http_requests_limited_total',
    'Requests refused because a quota was used up.',
  );
  readonly #aborted = this.#counter('marketplace_http_requests_aborted_total', 'Requests that their clients gave up.');

  readonly #differences = this.#counter(
    'marketplace_store_differences_total',
    'Differences between the automations and what is derived from them, found by the self-check.',
  );

  #text: Promise<MetricsText> | undefined;

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  /**
   * Counts a request that is over. How long a refusal because of overload took says nothing of how long responses take.
   */
  countRequest({ method, route, status, durationMs, aborted, problem }: CompletedRequest): void {
    this.#requests.inc({ method, route, status });
    if (problem === 'overloaded') this.#shed.inc();
    else this.#durations.observe({ method, route }, durationMs / 1000);
    if (problem === 'quota-exceeded') this.#limited.inc();
    if (aborted) this.#aborted.inc();
  }

  /** Counts what a self-check of the store found. */
  countDifferences(count: number): void {
    this.#differences.inc(count);
  }

  /** Returns the same repository, whose calls are counted. */
  counted<Port extends object>(port: Port, repository: string): Port {
    const outcomeOf = (error: unknown) => (error instanceof DomainError ? error.kind : 'failed');
    const count = (call: string, outcome: string) => this.#calls.inc({ repository, call, outcome });
    return new Proxy(port, {
      get: (target, call) => {
        const method: unknown = Reflect.get(target, call, target);
        if (typeof method !== 'function' || typeof call !== 'string') return method;
        return (...given: unknown[]): unknown => {
          const result: unknown = Reflect.apply(method, target, given);
          if (isThenable(result))
            result.then(
              () => count(call, 'ok'),
              (error: unknown) => count(call, outcomeOf(error)),
            );
          return result;
        };
      },
    });
  }

  /** Reports what is under way when it is asked. */
  observeLoad(load: { readonly inFlight: number; readonly unsentBytes: number }): void {
    this.#gauge('marketplace_http_requests_in_flight', 'Requests in flight.', () => load.inFlight);
    const help = 'Bytes of responses that their clients have not taken yet.';
    this.#gauge('marketplace_http_unsent_bytes', help, () => load.unsentBytes);
  }

  /** Reports the automations on sale by category when it is asked; nothing while the storage is unreachable. */
  observeAutomations(countByCategory: () => Promise<ReadonlyMap<string, number>>): void {
    new Gauge({
      name: 'marketplace_automations_on_sale',
      help: 'Automations on sale, by category.',
      labelNames: ['category'],
      registers: this.#registers,
      async collect() {
        this.reset();
        for (const [category, count] of await countByCategory().catch(() => [])) this.set({ category }, count);
      },
    });
  }

  /** Returns all metrics as text. One text is made at a time, and kept for a second. */
  text(): Promise<MetricsText> {
    this.#text ??= this.#newText().finally(() => {
      setTimeout(() => (this.#text = undefined), TEXT_AGE_MS).unref();
    });
    return this.#text;
  }

  async #newText(): Promise<MetricsText> {
    return { type: this.#registry.contentType, body: await this.#registry.metrics() };
  }

  #gauge(name: string, help: string, value: () => number): void {
    const registers = this.#registers;
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  }

  #counter(name: string, help: string): Counter {
    return new Counter({ name, help, registers: this.#registers });
  }
}

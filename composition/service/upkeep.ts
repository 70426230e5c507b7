import { setTimeout } from 'node:timers/promises';
import type { Maintenance } from '../../application/maintenance.js';
import { OPERATOR } from '../../domain/access.js';
import type { Storage } from '../../domain/ports.js';
import type { Metrics } from './metrics.js';
import type { ServiceLog } from './service-log.js';

/** When the tasks run: first, and how long after the end of the run before. */
export interface Schedule {
  readonly firstMs: number;
  readonly everyMs: number;
}

const SWEEP: Schedule = { firstMs: 60_000, everyMs: 60_000 };
const SELF_CHECK: Schedule = { firstMs: 1_000, everyMs: 60 * 60_000 };
/** The differences that one line of the log describes. */
const MAX_DESCRIBED = 20;

/** What a running service does for its store: it sweeps each minute, and each hour it repairs what is derived. */
export class Upkeep {
  readonly #stopped = new AbortController();

  constructor(
    private readonly storage: Pick<Storage, 'check'>,
    private readonly maintenance: Pick<Maintenance, 'sweep'>,
    private readonly metrics: Pick<Metrics, 'countDifferences'>,
    private readonly log: ServiceLog,
  ) {}

  start(sweep = SWEEP, selfCheck = SELF_CHECK): void {
    void this.#repeat(sweep, () => this.maintenance.sweep(OPERATOR), 'the sweep failed; the next minute tries again');
    void this.#repeat(selfCheck, () => this.#checkStore(), 'the self-check failed; the next hour tries again');
  }

  /** Starts no further run. A run that is under way is not waited for, and its failure is ignored. */
  stop(): void {
    this.#stopped.abort();
  }

  async #checkStore(): Promise<void> {
    const found = await this.storage.check({ repair: true });
    if (found.length === 0) return;
    this.metrics.countDifferences(found.length);
    const differences = found.slice(0, MAX_DESCRIBED);
    this.log.warn({ count: found.length, differences }, 'derived data differed from the automations');
  }

  /** Runs never overlap, since the next one is planned at the end of the one before. */
  async #repeat({ firstMs, everyMs }: Schedule, task: () => Promise<void>, failed: string): Promise<void> {
    for (let pauseMs = firstMs; await this.#pause(pauseMs); pauseMs = everyMs)
      await task().catch((error: unknown) => {
        if (!this.#stopped.signal.aborted) this.log.warn({ err: error }, failed);
      });
  }

  /** Returns false when the service has stopped. */
  #pause(milliseconds: number): Promise<boolean> {
    const options = { signal: this.#stopped.signal, ref: false };
    return setTimeout(milliseconds, true, options).catch(() => false);
  }
}

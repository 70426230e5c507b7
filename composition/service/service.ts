import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { AuditTrail } from '../../application/audit-trail.js';
import type { FirstAccess, Maintenance } from '../../application/maintenance.js';
import type { ProtectedServer } from '../../adapters/http/index.js';
import { DomainError } from '../../domain/errors.js';
import type { Storage } from '../../domain/ports.js';
import type { Config } from '../config/config.js';
import { exposureOf } from '../config/mongodb.js';
import { showFirstAccess } from './first-start.js';
import { addressesOf, urlForPeople, urlOf } from './links.js';
import { listen } from './listen.js';
import type { Log } from './log.js';
import type { Readiness } from './readiness.js';
import { reloadOnHangup } from './reload.js';
import { starterCategories } from './starter-categories.js';
import { untilStopped, type StopReason } from './stop.js';
import { prepareStore } from './store.js';

const SWEEP_INTERVAL_MS = 60 * 60 * 1000;
const RETRY_STORE_MS = 1_000;
const FLUSH_AUDIT_MS = 2_000;
/** How long a request that was cut off may keep the process. */
const LINGER_MS = 1_000;

/** The server with every application on it, which does not listen yet. */
export interface HttpServer extends ProtectedServer {
  readonly server: Server;
}

interface Parts {
  readonly storage: Storage;
  readonly maintenance: Maintenance;
  readonly audit: AuditTrail;
  readonly http: HttpServer;
  readonly readiness: Readiness;
}

/** The service, from its start to its stop. */
export class Service {
  constructor(
    private readonly config: Config,
    private readonly log: Log,
    private readonly parts: Parts,
  ) {}

  /** Runs until it is told to stop, and returns the exit code. */
  async run(): Promise<number> {
    const { config, log } = this;
    const { http, readiness, storage } = this.parts;
    const stopped = untilStopped(log);
    const endReloads = reloadOnHangup(http.server, config.tls, log);
    try {
      const isPrepared = await this.#tryPrepareStore();
      await listen(http.server, config);
      await this.#announce(isPrepared);
      if (isPrepared || (await this.#waitForStore(stopped))) readiness.open();
      const { code } = await this.#sweepUntil(stopped);
      readiness.close();
      log.info('draining');
      await http.drain(code === 0 ? config.drainSeconds : 0);
      log.info('stopped');
      return code;
    } finally {
      endReloads();
      http.server.close();
      await this.#flushAudit();
      await storage.close();
      await log.flushed();
      setTimeout(LINGER_MS, undefined, { ref: false }).then(
        () => process.exit(),
        () => undefined,
      );
    }
  }

  /** Returns whether the store is reachable and ready. @throws Error for a mistake that would not go away. */
  async #tryPrepareStore(): Promise<boolean> {
    try {
      await prepareStore(this.parts.storage, this.config);
      await this.parts.maintenance.addFirstCategories(starterCategories());
      return true;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }

  /** Tries until it succeeds or the service stops; requests get 503 meanwhile. */
  async #waitForStore(stopped: Promise<StopReason>): Promise<boolean> {
    this.log.warn('the store is not reachable; trying again every second');
    const stop = new AbortController();
    void stopped.then(() => stop.abort());
    while (!stop.signal.aborted) {
      if (await this.#tryPrepareStore()) {
        this.log.info('the store is reachable');
        return true;
      }
      await Promise.race([stopped, setTimeout(RETRY_STORE_MS)]);
    }
    return false;
  }

  /**
   * Shows the first key and link of a new marketplace, then the addresses; the line "listening" tells programs that it
   * is ready.
   */
  async #announce(isPrepared: boolean): Promise<void> {
    const { config, log } = this;
    const { maintenance, http } = this.parts;
    const address = http.server.address() as AddressInfo;
    const access: FirstAccess | undefined = isPrepared ? await maintenance.firstAccess(config.panel) : undefined;
    if (access !== undefined) await showFirstAccess(access, maintenance, urlForPeople(config, address));
    log.ready({ url: urlOf(config, address), storage: config.storage, ...addressesOf(config, address) });
    const exposure = config.storage === 'mongodb' ? exposureOf(config.mongodbUrl) : undefined;
    if (exposure !== undefined) log.warn(exposure);
  }

  async #sweepUntil(stopped: Promise<StopReason>): Promise<StopReason> {
    const sweep = () =>
      this.parts.maintenance.sweep().catch((error: unknown) => {
        this.log.warn(
          { err: error },
          'expired idempotency keys and sessions could not be removed; the next hour tries again',
        );
      });
    const timer = setInterval(() => void sweep(), SWEEP_INTERVAL_MS);
    const reason = await stopped;
    clearInterval(timer);
    return reason;
  }

  /** Waits for the audit, but not for a store that hangs. */
  async #flushAudit(): Promise<void> {
    const patience = new AbortController();
    const written = this.parts.audit.settled().then(() => true);
    const isWritten = await Promise.race([written, setTimeout(FLUSH_AUDIT_MS, false, { signal: patience.signal })]);
    patience.abort();
    if (!isWritten) this.log.error('the audit could not be written before the end');
  }
}

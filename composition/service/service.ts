import type { Server } from 'node:http';
import type { Applications } from '../../adapters/api/index.js';
import { setTimeout } from 'node:timers/promises';
import type { ProtectedServer } from '../../adapters/api/index.js';
import type { UseCases } from '../../application/core.js';
import { OPERATOR } from '../../domain/access.js';
import type { Currency } from '../../domain/currency.js';
import { DomainError } from '../../domain/errors.js';
import type { Readiness } from './readiness.js';
import type { ServiceLog } from './service-log.js';
import { starterCategories } from './starter-categories.js';
import type { Upkeep } from './upkeep.js';

const FLUSH_AUDIT_MS = 2_000;

/** The server with every application on it, which does not listen yet. */
export interface HttpServer extends ProtectedServer {
  readonly server: Server;
  readonly handler: Applications['api'];
}

interface Parts {
  readonly currency: Currency;
  readonly maintenance: UseCases['maintenance'];
  readonly audit: UseCases['audit'];
  readonly upkeep: Upkeep;
  readonly http: HttpServer;
  readonly readiness: Readiness;
  readonly log: ServiceLog;
}

/** The whole service over one store. It reads no environment, handles no signal and ends no process. */
export class Service {
  readonly currency: Currency;
  readonly http: HttpServer;
  readonly maintenance: UseCases['maintenance'];
  readonly readiness: Readiness;

  constructor(private readonly parts: Parts) {
    this.currency = parts.currency;
    this.http = parts.http;
    this.maintenance = parts.maintenance;
    this.readiness = parts.readiness;
  }

  /** Opens once the store is prepared; from then on `/readyz` returns 200. Rejects if the store cannot be used. */
  async open(preparing?: Promise<unknown>): Promise<void> {
    const { maintenance, readiness, upkeep } = this.parts;
    try {
      await preparing;
      await maintenance.addFirstCategories(OPERATOR, starterCategories());
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'unavailable') readiness.storeFailed(error);
      throw error;
    }
    upkeep.start();
    readiness.open();
    // The log says at the start when the store takes no writes.
    void readiness.state();
  }

  /** Lets `/readyz` return 503; for some seconds the server responds, then it closes. */
  async drain(seconds: number): Promise<void> {
    this.parts.readiness.close();
    await this.http.drain(seconds);
  }

  /** Ends everything at once and writes the audit. The storage stays open. */
  async close(): Promise<void> {
    this.parts.readiness.close();
    this.parts.upkeep.stop();
    this.http.server.close();
    await this.#flushAudit();
  }

  /** Waits for the audit, but not for a store that hangs. */
  async #flushAudit(): Promise<void> {
    const waiting = new AbortController();
    const written = this.parts.audit.settled().then(() => true);
    const isWritten = await Promise.race([written, setTimeout(FLUSH_AUDIT_MS, false, { signal: waiting.signal })]);
    waiting.abort();
    if (!isWritten) this.parts.log.error({}, 'the audit could not be written before the end');
  }
}

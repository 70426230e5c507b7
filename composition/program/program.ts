import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { OPERATOR } from '../../domain/access.js';
import { DomainError } from '../../domain/errors.js';
import type { Storage } from '../../domain/ports.js';
import type { Config } from '../config/config.js';
import { exposureOf } from '../config/mongodb.js';
import { postgresExposureOf } from '../config/postgresql.js';
import type { Service } from '../service/service.js';
import { showFirstAccess } from './first-start.js';
import { addressesOf, urlForPeople, urlOf } from './links.js';
import { listen } from './listen.js';
import type { Log } from './log.js';
import { memoryWarning } from './memory.js';
import { reloadOnHangup } from './reload.js';
import type { StopReason, StopSignal } from './stop.js';
import { namingCurrency } from './store.js';
import { isInTerminal } from './terminal.js';

const RETRY_STORE_MS = 1_000;
/** How long the start waits for the store before it listens without it, as during a long upgrade. */
const MAX_WAIT_FOR_STORE_MS = 10_000;
/** How long a request that was cut off may keep the process. */
const LINGER_MS = 1_000;

/** The service as a process: from its start, over its ready line, to the signal that stops it. */
export class Program {
  constructor(
    private readonly config: Config,
    private readonly log: Log,
    private readonly service: Service,
    private readonly storage: Storage,
  ) {}

  /** Runs until it is told to stop, and returns the exit code. */
  async run(stopped: Promise<StopReason>): Promise<number> {
    const { config, log, service } = this;
    const { tls } = config;
    const endReloads = tls && isReloading(config) ? reloadOnHangup(service.http.server, tls, log) : undefined;
    if (tls) logFailedHandshakes(service.http.server, log);
    try {
      const opening = this.#tryOpen();
      const isOpen = await Promise.race([opening, this.#untilListening(stopped)]);
      if (isOpen !== 'stopped') await this.#serve(isOpen, opening, stopped);
      const { code } = await stopped;
      if (service.http.server.listening) {
        log.info('draining');
        await service.drain(code === 0 ? config.drainSeconds : 0);
      }
      log.info('stopped');
      return code;
    } finally {
      endReloads?.();
      await service.close();
      await this.storage.close();
      await log.flushed();
      setTimeout(LINGER_MS, undefined, { ref: false }).then(
        () => process.exit(),
        () => undefined,
      );
    }
  }

  /** Returns whether the store is reachable and ready. @throws Error for a mistake that would not go away. */
  async #tryOpen(): Promise<boolean> {
    try {
      await this.service.open();
      return true;
    } catch (error) {
      if (error instanceof DomainError && error.code !== 'other-currency') return false;
      throw namingCurrency(error);
    }
  }

  /** Resolves to false when the service should listen although the store is not ready yet. */
  #untilListening(stopped: Promise<StopReason>): Promise<false | 'stopped'> {
    const tooLong = setTimeout(MAX_WAIT_FOR_STORE_MS, false as const, { ref: false });
    return Promise.race([stopped.then(() => 'stopped' as const), tooLong]);
  }

  /** Listens, and shows the first access to a new marketplace, as soon as its store is open. */
  async #serve(isOpen: boolean, opening: Promise<boolean>, stopped: Promise<StopReason>): Promise<void> {
    await listen(this.service.http.server, this.config);
    let isNew = isOpen && (await this.#takeUp());
    this.#announce();
    if (!isOpen) {
      if (!(await this.#waitForStore(opening, stopped))) return;
      isNew = await this.#takeUp();
    }
    if (!isNew) await this.#warnWithoutOperator();
  }

  /** Tries until it succeeds or the service stops, and returns whether it succeeded. Requests get 503 meanwhile. */
  async #waitForStore(opening: Promise<boolean>, stopped: Promise<StopReason>): Promise<boolean> {
    this.log.warn('the service starts without its store, and tries again every second');
    const hasStopped = stopped.then(() => 'stopped' as const);
    for (let attempt = opening; ; attempt = this.#tryOpen()) {
      const outcome = await Promise.race([attempt, hasStopped]);
      if (outcome !== false) return outcome === true;
      if ((await Promise.race([hasStopped, setTimeout(RETRY_STORE_MS)])) !== undefined) return false;
    }
  }

  /** Records the address, and shows the first key and link of a new marketplace. Returns whether it is new. */
  async #takeUp(): Promise<boolean> {
    const { http, maintenance } = this.service;
    const url = urlForPeople(this.config, http.server.address() as AddressInfo);
    await this.storage.prepare({ address: url }).catch((err: unknown) => {
      this.log.warn({ err }, 'the address could not be recorded: links of commands may be wrong without PUBLIC_URL');
    });
    const access = await maintenance.firstAccess(OPERATOR, this.config.firstOperator, this.config.panel);
    if (access !== undefined) await showFirstAccess(access, maintenance, url);
    return access !== undefined;
  }

  async #warnWithoutOperator(): Promise<void> {
    const { panel, firstOperator } = this.config;
    if (panel && !(await this.service.maintenance.hasOperator(OPERATOR)))
      this.log.warn(
        `there is no active operator; to invite one, run developers invite ${firstOperator} --role operator`,
      );
  }

  /** Logs the addresses; the line "listening" tells programs that the service is ready. */
  #announce(): void {
    const { config, log } = this;
    const address = this.service.http.server.address() as AddressInfo;
    log.ready({ url: urlOf(config, address), ...placeOf(config), ...addressesOf(config, address) });
    for (const warning of [storeExposure(config), memoryWarning()]) if (warning !== undefined) log.warn(warning);
  }
}

/** Returns the signals that stop the service. */
export function stopSignals(config: Config): readonly StopSignal[] {
  return isReloading(config) ? ['SIGTERM', 'SIGINT'] : ['SIGTERM', 'SIGINT', 'SIGHUP'];
}

/** Tells whether SIGHUP has the files of TLS read again. */
function isReloading({ tls }: Config): boolean {
  return tls !== undefined && !isInTerminal();
}

/** Returns where the data is. */
function placeOf({ storage, dataDir }: Config): Readonly<Record<string, string>> {
  return storage === 'sqlite' ? { storage, folder: resolve(dataDir) } : { storage };
}

function storeExposure({ storage, mongodbUrl, postgresUrl }: Config): string | undefined {
  if (storage === 'mongodb') return exposureOf(mongodbUrl);
  return storage === 'postgresql' ? postgresExposureOf(postgresUrl) : undefined;
}

/** Logs each connection that TLS refuses; not those that clients only try and close, as health checks do. */
function logFailedHandshakes(server: Server, log: Log): void {
  server.on('tlsClientError', ({ code = '' }: NodeJS.ErrnoException) => {
    const isPlain = code === 'ERR_SSL_HTTP_REQUEST';
    const message = `a TLS handshake failed${isPlain ? ': the client spoke HTTP to the HTTPS port' : ''}`;
    if (code.startsWith('ERR_SSL_')) log.info({ code }, message);
  });
}

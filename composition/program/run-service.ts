import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { FirstAccessParts } from '../../application/maintenance.js';
import { OPERATOR } from '../../domain/access.js';
import { DEFAULT_CURRENCY } from '../../domain/currency.js';
import { DomainError } from '../../domain/errors.js';
import type { Storage, StoreRecord } from '../../domain/ports.js';
import type { Config } from '../config/config.js';
import type { Given } from '../config/environment.js';
import { newService } from '../container.js';
import type { Service } from '../service/service.js';
import { checkedConfig } from './checked-config.js';
import { showFirstAccess } from './first-start.js';
import { urlForPeople, urlOf } from '../service/addresses.js';
import { addressesOf } from './links.js';
import { listen } from './listen.js';
import { memoryWarning } from './memory.js';
import { newLog, type Log } from './log.js';
import { Hangups } from './reload.js';
import { untilStopped, type StopReason } from './stop.js';
import { openStore, prepareStore } from './store.js';
import { isInTerminal } from './terminal.js';

const RETRY_STORE_MS = 1_000;
/** How long the start waits for the store before it listens without it, as during a long upgrade. */
const MAX_WAIT_FOR_STORE_MS = 10_000;
/** How long a request that was cut off may keep the process. */
const LINGER_MS = 1_000;

/** Runs the service until it is stopped, and returns the exit code. */
export async function runService(given: Given): Promise<number> {
  const config = await checkedConfig('service', given);
  const log = newLog(config);
  for (const warning of config.warnings) log.warn(warning);
  const { storage } = await openStore(config, {
    onError: (err) => log.warn({ err }, 'the work of the store in the background failed; it is tried again'),
  });
  const hangups = isInTerminal() ? undefined : new Hangups(config.tls, log);
  const stopped = untilStopped(log, hangups ? ['SIGTERM', 'SIGINT'] : ['SIGTERM', 'SIGINT', 'SIGHUP']);
  try {
    const preparing = prepareStore(storage, config.CURRENCY);
    const tooLong = setTimeout(MAX_WAIT_FOR_STORE_MS, undefined, { ref: false });
    const record = await Promise.race([unlessAway(preparing), tooLong, stopped]);
    if (record === undefined || 'currency' in record) {
      const currency = record?.currency ?? config.CURRENCY ?? DEFAULT_CURRENCY;
      const service = await newService(storage, { currency, config, log, host: {} });
      hangups?.serve(service.http.server);
      await new Program(config, log, storage, service, stopped).run(preparing, record !== undefined);
    }
    log.info('stopped');
    return (await stopped).code;
  } finally {
    await storage.close();
    await log.flushed();
    setTimeout(LINGER_MS, undefined, { ref: false }).then(
      () => process.exit(),
      () => undefined,
    );
  }
}

/** Returns undefined when the store is out of reach. @throws Error for a mistake that would not go away. */
async function unlessAway(preparing: Promise<StoreRecord>): Promise<StoreRecord | undefined> {
  try {
    return await preparing;
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

/** The service as a process, from its ready line to the signal that stops it. */
class Program {
  #recorded: StoreRecord | undefined;

  constructor(
    private readonly config: Config,
    private readonly log: Log,
    private readonly storage: Storage,
    private readonly service: Service,
    private readonly stopped: Promise<StopReason>,
  ) {}

  /** Runs until it is stopped. */
  async run(preparing: Promise<StoreRecord>, isPrepared: boolean): Promise<void> {
    const { config, log, service } = this;
    const { server } = service.http;
    if (config.tls) logFailedHandshakes(server, log);
    try {
      await this.#serve(preparing, isPrepared);
      const { code } = await this.stopped;
      log.info('draining');
      await service.drain(code === 0 ? config.DRAIN_SECONDS : 0);
    } finally {
      await service.close();
    }
  }

  /** Listens, and shows the first access to a new marketplace, as soon as its store is open. */
  async #serve(preparing: Promise<StoreRecord>, isPrepared: boolean): Promise<void> {
    const isOpen = isPrepared && (await this.#tryOpen(preparing));
    await listen(this.service.http.server, this.config);
    let isNew = isOpen && (await this.#takeUp());
    this.#announce();
    if (!isOpen) {
      if (!(await this.#waitForStore(preparing))) return;
      isNew = await this.#takeUp();
    }
    if (!isNew) await this.#warnWithoutOperator();
  }

  /** Returns whether the store is reachable and ready. @throws Error for a mistake that would not go away. */
  async #tryOpen(preparing: Promise<StoreRecord>): Promise<boolean> {
    try {
      await this.service.open(preparing);
      this.#recorded = await preparing;
      return true;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }

  /** Tries until it succeeds or the service stops, and returns whether it succeeded. Requests get 503 meanwhile. */
  async #waitForStore(preparing: Promise<StoreRecord>): Promise<boolean> {
    this.log.warn('the service starts without its store, and tries again every second');
    const hasStopped = this.stopped.then(() => 'stopped' as const);
    // The store may turn out to have another currency than the service was composed with.
    const prepare = () => prepareStore(this.storage, this.service.currency);
    for (let attempt = preparing.then(prepare); ; attempt = prepare()) {
      const outcome = await Promise.race([this.#tryOpen(attempt), hasStopped]);
      if (outcome !== false) return outcome === true;
      if ((await Promise.race([hasStopped, setTimeout(RETRY_STORE_MS)])) !== undefined) return false;
    }
  }

  /** Records the address, and shows the first key and link of a new marketplace. Returns whether it is new. */
  async #takeUp(): Promise<boolean> {
    const { http, maintenance } = this.service;
    const url = urlForPeople(this.config, http.server.address() as AddressInfo);
    if (url !== this.#recorded?.address)
      await this.storage.prepare({ address: url }).catch((err: unknown) => {
        this.log.warn({ err }, 'the address could not be recorded: links of commands may be wrong without PUBLIC_URL');
      });
    const access = await maintenance.firstAccess(OPERATOR, this.config.FIRST_OPERATOR, partsOf(this.config));
    if (access !== undefined) await showFirstAccess(access, maintenance, url);
    return access !== undefined;
  }

  async #warnWithoutOperator(): Promise<void> {
    const { PANEL, FIRST_OPERATOR } = this.config;
    if (PANEL && !(await this.service.maintenance.hasOperator(OPERATOR)))
      this.log.warn(
        `there is no active operator; to invite one, run developers invite ${FIRST_OPERATOR} --role operator`,
      );
  }

  /** Logs the addresses; the line "listening" tells programs that the service is ready. */
  #announce(): void {
    const { config, log } = this;
    const address = this.service.http.server.address() as AddressInfo;
    log.ready({ url: urlOf(config, address), ...placeOf(config), ...addressesOf(config, address) });
    const warning = memoryWarning();
    if (warning !== undefined) log.warn(warning);
  }
}

/**
 * Returns what a first start shows. Journals and logs of containers would keep a key, so it needs a terminal; but no
 * command can make one for a store in the memory, with which it ends.
 */
function partsOf({ STORAGE: storage, PANEL: link }: Config): FirstAccessParts {
  return { key: process.stdout.isTTY || storage === 'memory', link };
}

/** Returns where the data is. */
function placeOf({ STORAGE: storage, DATA_DIR }: Config): Readonly<Record<string, string>> {
  return storage === 'sqlite' ? { storage, folder: resolve(DATA_DIR) } : { storage };
}

/** Logs each connection that TLS refuses; not those that clients only try and close, as health checks do. */
function logFailedHandshakes(server: Server, log: Log): void {
  server.on('tlsClientError', ({ code = '' }: NodeJS.ErrnoException) => {
    const isPlain = code === 'ERR_SSL_HTTP_REQUEST';
    const message = `a TLS handshake failed${isPlain ? ': the client spoke HTTP to the HTTPS port' : ''}`;
    if (code.startsWith('ERR_SSL_')) log.info({ code }, message);
  });
}

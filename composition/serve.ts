import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { writeAndConfirm } from '../adapters/cli/index.js';
import { drain } from '../adapters/http/drain.js';
import { DomainError } from '../domain/errors.js';
import type { Config } from './config.js';
import { compose, start, type Composition } from './container.js';
import type { FirstAccess } from '../application/maintenance.js';
import { fillEmptyStore, takeBack, welcome } from './first-start.js';
import { newHttpService } from './http-service.js';
import { urlForPeople, urlOf, welcomeUrl } from './links.js';
import { listen } from './listen.js';
import { newLog } from './log.js';
import { exposureOf, passwordsIn } from './mongo-url.js';
import { Readiness } from './readiness.js';
import { reloadOnHangup } from './reload.js';
import { whenToStop, type Stop } from './stop.js';
import { AUDIT_TRAIL, AUTOMATION_REPOSITORY, SESSION_REPOSITORY } from './tokens.js';

const HOUR = 60 * 60 * 1000;

/** In milliseconds: between two tries to reach the store. */
const NEXT_TRY = 1_000;

/** In milliseconds: how long a stop waits for what the audit has yet to write down. */
const LONGEST_SETTLING = 2_000;

/** In milliseconds: how long what a request that was cut off still waits for may keep the process. */
const LINGER = 1_000;

/** Runs the service until it is told to stop, and answers the exit code. */
export async function serve(config: Config): Promise<number> {
  const log = newLog(config.logLevel, [config.metricsToken, ...passwordsIn(config.mongodbUrl)]);
  const stopped = whenToStop(log);
  const composition = await compose(config, {
    onAuditError: (error, entries) => log.error({ err: error, entries }, 'the audit could not be written'),
  });
  await takeAccessTokens(composition, config);
  const readiness = new Readiness(composition.store);
  const server = newHttpService(config, composition, log, readiness.isReady);
  const endReloads = reloadOnHangup(server, config.tls, log);
  try {
    const reached = await isReached(composition, config);
    await listen(server, config);
    await announce(server, config, composition, reached, log);
    if (reached || (await reach(composition, config, log, stopped))) readiness.open();
    const { code } = await sweepUntil(stopped, composition, log);
    readiness.close();
    log.info('draining');
    await drain(server, code === 0 ? config.drainSeconds : 0);
    log.info('stopped');
    return code;
  } finally {
    endReloads();
    server.close();
    await settle(composition, log);
    await composition.store.close();
    await log.flushed();
    setTimeout(LINGER, undefined, { ref: false }).then(() => process.exit(), () => undefined);
  }
}

/** Has the audit written down; a store that hangs must not keep the process until it is killed. */
async function settle({ container }: Composition, log: Logger): Promise<void> {
  const patience = new AbortController();
  const written = container.get(AUDIT_TRAIL).settled().then(() => true);
  const isWritten = await Promise.race([written, setTimeout(LONGEST_SETTLING, false, { signal: patience.signal })]);
  patience.abort();
  if (!isWritten) log.error('the audit could not be written before the end');
}

/** Whether the store is there and made ready. A mistake in it, which would not go away, is thrown. */
async function isReached(composition: Composition, config: Config): Promise<boolean> {
  try {
    await start(composition, config);
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

/** Tries again and again, while requests are answered as `unavailable`. */
async function reach(composition: Composition, config: Config, log: Logger, stopped: Promise<Stop>): Promise<boolean> {
  log.warn('the store is out of reach; it is tried again every second');
  const stop = new AbortController();
  void stopped.then(() => stop.abort());
  while (!stop.signal.aborted) {
    if (await isReached(composition, config)) {
      log.info('the store is reached');
      return true;
    }
    await Promise.race([stopped, setTimeout(NEXT_TRY)]);
  }
  return false;
}

/** Loads what verifies them only where they are taken. Nothing is asked of the issuer before the first of them comes. */
async function takeAccessTokens({ container }: Composition, { accessTokens }: Config): Promise<void> {
  if (accessTokens !== undefined) container.load((await import('./oauth-module.js')).oauthModule(accessTokens));
}

/** What a new marketplace has to say to people, then the line by which programs know that it listens. */
async function announce(server: Server, config: Config, { container }: Composition, reached: boolean, log: Logger): Promise<void> {
  const address = server.address() as AddressInfo;
  const access = reached ? await fillEmptyStore(container, config.panel) : undefined;
  if (access !== undefined && !(await isTold(access, urlForPeople(config, address)))) await takeBack(container, access);
  log.info({ url: urlOf(config, address), storage: config.storage }, 'listening');
  const exposure = config.storage === 'mongodb' ? exposureOf(config.mongodbUrl) : undefined;
  if (exposure !== undefined) log.warn(exposure);
}

function isTold({ key, token }: FirstAccess, url: string): Promise<boolean> {
  return writeAndConfirm(process.stdout, welcome(key, url, token && welcomeUrl(url, token)));
}

/** Once an hour: a key that is not asked for again would else stay on its automation for ever, and a session that is not used in the store. */
async function sweepUntil(stopped: Promise<Stop>, composition: Composition, log: Logger): Promise<Stop> {
  const sweep = setInterval(() => void sweepOut(composition, log), HOUR);
  const stop = await stopped;
  clearInterval(sweep);
  return stop;
}

async function sweepOut({ container }: Composition, log: Logger): Promise<void> {
  const now = new Date();
  const sweeps = [container.get(AUTOMATION_REPOSITORY).freeIdempotencyKeys(now), container.get(SESSION_REPOSITORY).endLapsed(now)];
  for (const sweep of await Promise.allSettled(sweeps))
    if (sweep.status === 'rejected') log.warn({ err: sweep.reason as unknown }, 'lapsed idempotency keys or sessions could not be swept out; the next hour tries again');
}

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { drain } from '../adapters/http/drain.js';
import { createOperationalApp } from '../adapters/http/operational.js';
import { createHttpServer } from '../adapters/http/server.js';
import { isUnderBase } from '../adapters/http/target.js';
import { DomainError } from '../domain/errors.js';
import type { Config } from './config.js';
import { fillEmptyStore, welcome } from './first-start.js';
import { newLog } from './log.js';
import { httpModule } from './http-module.js';
import { exposureOf } from './mongo-url.js';
import { compose, start, type Composition } from './storage.js';
import { AUTOMATION_REPOSITORY, HTTP_APP } from './tokens.js';
import { version } from './version.js';

const HOUR = 60 * 60 * 1000;

/** In milliseconds: between two tries to reach the store. */
const NEXT_TRY = 1_000;

/** Runs the service until it is told to stop, and answers the exit code. */
export async function serve(config: Config, stopped: Promise<unknown> = signalled()): Promise<number> {
  const log = newLog(config.logLevel);
  const composition = await compose(config);
  let ready = false;
  const server = newServer(config, composition, log, async () => ready && isInReach(composition));
  try {
    const reached = await isReached(composition, config);
    await listen(server, config);
    await announce(server, config, composition, reached, log);
    ready = reached || (await reach(composition, config, log, stopped));
    await sweepUntil(stopped, composition, log);
    ready = false;
    log.info('draining');
    await drain(server, config.drainSeconds);
  } finally {
    server.close();
    await composition.store.close();
  }
  log.info('stopped');
  return 0;
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
async function reach(composition: Composition, config: Config, log: Logger, stopped: Promise<unknown>): Promise<boolean> {
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

function newServer(config: Config, { container }: Composition, log: Logger, ready: () => Promise<boolean>): Server {
  const onError = (error: unknown, requestId: string) => log.error({ err: error, requestId }, 'request failed');
  container.load(httpModule({ publicUrl: config.publicUrl, onError }));
  const api = container.get(HTTP_APP).callback();
  const { currency, publicUrl } = config;
  const operational = createOperationalApp({ currency, publicUrl, version: version(), ready, onError }).callback();
  return createHttpServer(
    (request, response) => (isUnderBase(request.url ?? '') ? api : operational)(request, response),
    config.tls,
  );
}

async function listen(server: Server, { host, port }: Config): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

/** What a new marketplace has to say to people, then the line by which programs know that it listens. */
async function announce(server: Server, config: Config, { container }: Composition, reached: boolean, log: Logger): Promise<void> {
  const { address, family, port } = server.address() as AddressInfo;
  const url = `${config.tls ? 'https' : 'http'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  const key = reached ? await fillEmptyStore(container) : undefined;
  if (key !== undefined) process.stdout.write(welcome(key, config.publicUrl || url));
  log.info({ url, storage: config.storage }, 'listening');
  const exposure = config.storage === 'mongodb' ? exposureOf(config.mongodbUrl) : undefined;
  if (exposure !== undefined) log.warn(exposure);
}

async function isInReach({ store }: Composition): Promise<boolean> {
  try {
    await store.ping();
    return true;
  } catch {
    return false;
  }
}

/** Once an hour: a key that is not asked for again would else stay on its automation for ever. */
async function sweepUntil(stopped: Promise<unknown>, composition: Composition, log: Logger): Promise<void> {
  const sweep = setInterval(() => void freeLapsedKeys(composition, log), HOUR);
  await stopped;
  clearInterval(sweep);
}

async function freeLapsedKeys({ container }: Composition, log: Logger): Promise<void> {
  try {
    await container.get(AUTOMATION_REPOSITORY).freeIdempotencyKeys(new Date());
  } catch (error) {
    log.warn({ err: error }, 'lapsed idempotency keys could not be freed; the next hour tries again');
  }
}

function signalled(): Promise<unknown> {
  return Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
}

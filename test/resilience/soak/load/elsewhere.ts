/**
 * Runs a function of a module in a process of its own, so that the load takes nothing from who measures. Beneath, the
 * program that does so.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Elsewhere<Result> {
  readonly result: Promise<Result>;
  /** Reaches `process.on('message')` there. */
  tell(message: unknown): void;
}

interface Order {
  readonly module: string;
  readonly name: string;
  readonly given: unknown;
}

/** The function takes one argument and answers a promise; both are of what JSON can say. */
export function elsewhere<Given, Result>(
  module: string,
  work: (given: Given) => Promise<Result>,
  given: Given,
): Elsewhere<Result> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const order: Order = { module, name: work.name, given };
  child.send(order);
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the load ended with ${String(code)}`)));
  const result = Promise.race([once(child, 'message').then(([message]) => message as Result), ended]).finally(() => {
    process.off('exit', end);
    end();
  });
  ended.catch(() => undefined);
  return { result, tell: (message) => child.send(message as object) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [order] = (await once(process, 'message')) as [Order];
  const work = ((await import(order.module)) as Record<string, (given: unknown) => Promise<unknown>>)[order.name];
  process.send?.(await work?.(order.given));
}

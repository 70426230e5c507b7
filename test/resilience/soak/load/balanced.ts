import { setTimeout } from 'node:timers/promises';
import { Connection } from './connection.js';
import { requestText } from '../../../support/raw.js';

/** This module, for `elsewhere`. */
export const BALANCED = import.meta.url;

/** In milliseconds: how often the balancer asks each backend. */
const LOOK = 250;

export interface Order {
  readonly ports: readonly number[];
  readonly key: string;
  readonly clients: number;
  readonly body: string;
}

export interface Deployed {
  readonly created: number;
  readonly failures: readonly string[];
}

/** In milliseconds: a backend that says nothing for so long is not ready. */
const PROBE_TIMEOUT_MS = 1_000;

/**
 * Clients that keep their connections and create, behind a balancer that knows which backends are ready. Takes
 * messages: other ports, or the end.
 */
export async function balancedCreates({ ports, key, clients, body }: Order): Promise<Deployed> {
  const balancer = new Balancer(ports);
  const request = requestText('POST', '/api/automations', { Authorization: `Bearer ${key}` }, body);
  const failures: string[] = [];
  let created = 0;
  const client = async (n: number) => {
    const connections = new Map<number, Connection>();
    while (!balancer.isOver) {
      await setTimeout(10);
      const port = balancer.pick(n + created);
      if (port === undefined) continue;
      const kept = connections.get(port);
      const connection = kept?.isOpen ? kept : new Connection(port);
      connections.set(port, connection);
      try {
        const { status, body: answer } = await connection.ask(request);
        if (status === 201) created += 1;
        else failures.push(`${status} ${answer}`);
      } catch (error) {
        failures.push(String(error));
      }
    }
    for (const connection of connections.values()) connection.close();
  };
  await Promise.all([balancer.run(), ...Array.from({ length: clients }, (_, n) => client(n))]);
  return { created, failures: failures.slice(0, 20) };
}

class Balancer {
  readonly #ready = new Set<number>();
  #ports: readonly number[];
  isOver = false;

  constructor(ports: readonly number[]) {
    this.#ports = ports;
    process.on('message', (told: readonly number[] | 'end') => {
      if (told === 'end') this.isOver = true;
      else this.#ports = told;
    });
  }

  pick(n: number): number | undefined {
    const ready = this.#ports.filter((port) => this.#ready.has(port));
    return ready[n % ready.length];
  }

  async run(): Promise<void> {
    while (!this.isOver) {
      for (const port of this.#ports) void this.#look(port);
      await setTimeout(LOOK);
    }
  }

  async #look(port: number): Promise<void> {
    const connection = new Connection(port);
    const asked = connection.ask(requestText('GET', '/readyz', { Connection: 'close' })).then(
      ({ status }) => status === 200,
      () => false,
    );
    const isReady = await Promise.race([asked, setTimeout(PROBE_TIMEOUT_MS, false)]);
    connection.close();
    if (isReady) this.#ready.add(port);
    else this.#ready.delete(port);
  }
}

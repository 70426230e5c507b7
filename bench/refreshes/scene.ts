import { setTimeout } from 'node:timers/promises';
import { sqliteStorage } from '../../adapters/sql/sqlite/index.js';
import { newCore, OPERATOR, parseDeveloperId, type UseCases } from '../../application/index.js';
import { Front } from '../../test/support/front.js';
import { OAuthApp, REDIRECT } from '../../test/support/oauth-app.js';
import { OAuthStage } from '../../test/support/oauth-stage.js';
import { Visitor } from '../../test/support/panel-visitor.js';
import { Workplace } from '../../test/support/process.js';
import { SERVERS, SETTINGS } from '../../test/support/servers.js';
import { signedIn } from '../../test/support/signed-in.js';

const MAX_TRIES = 5;
const PAUSE_MS = 1_000;

/** An app whose users connect to services on one store. */
export interface Scene {
  /** Two processes; of a store in memory, one. */
  readonly urls: readonly string[];
  readonly clientId: string;
  /** Has a new person connect so many times, at most 100, and returns the refresh tokens. */
  connect(times: number): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function openScene(storage: string): Promise<Scene> {
  return storage === 'memory' ? inThisProcess() : twoProcesses(storage);
}

async function inThisProcess(): Promise<Scene> {
  const stage = await OAuthStage.start();
  const close = () => stage.close();
  return { urls: [stage.url], ...(await usersOf(stage.core, stage.url)), close };
}

async function twoProcesses(storage: string): Promise<Scene> {
  const settings = (await SETTINGS[storage]?.()) ?? {};
  const front = await Front.open();
  const place = await Workplace.open({ ...settings, PUBLIC_URL: front.url, KEY_CACHE_SECONDS: '0' });
  const services = await Promise.all([place.serve(), place.serve()]);
  front.inTurn(services);
  const store = SERVERS[storage]?.join(settings) ?? sqliteStorage(place.database);
  const close = async () => {
    await store.close();
    await place.clear();
    await front.close();
  };
  return { urls: services.map(({ url }) => url), ...(await usersOf(newCore(store), front.url)), close };
}

async function usersOf({ apps, accounts }: Pick<UseCases, 'apps' | 'accounts'>, url: string) {
  if (apps === undefined) throw new Error('the storage has no records of apps');
  await accounts.invite(OPERATOR, 'maker');
  const maker = signedIn({ developerId: parseDeveloperId('maker') });
  const registered = await apps.register(maker, { name: 'Two windows', kind: 'native', redirectUris: [REDIRECT] });
  const app = await OAuthApp.of(url, registered);
  let people = 0;
  const connect = async (times: number) => {
    const name = `person-${(people += 1)}`;
    const { token } = await accounts.invite(OPERATOR, name);
    const visitor = new Visitor(url);
    await visitor.accept(`${url}/panel/welcome/${token}`, `${name}@example.com`);
    const tokens: string[] = [];
    while (tokens.length < times) tokens.push(String((await patiently(() => app.connect(visitor))).refresh_token));
    return tokens;
  };
  return { clientId: registered.app.id, connect };
}

/** A person on a busy machine, where the storage may not be reachable in time, tries again. */
async function patiently<Value>(attempt: () => Promise<Value>): Promise<Value> {
  for (let tries = 1; tries < MAX_TRIES; tries += 1) {
    const value = await attempt().catch(() => undefined);
    if (value !== undefined) return value;
    await setTimeout(PAUSE_MS);
  }
  return attempt();
}

import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../composition/config.js';
import { newHttpService } from '../../composition/http-service.js';
import { newLog } from '../../composition/log.js';
import { compose, type Composition } from '../../composition/container.js';
import { starterCategories } from '../../composition/starter-categories.js';
import {
  AUDIT_TRAIL,
  CATEGORY_REPOSITORY,
  DEVELOPER_ACCOUNTS,
  DEVELOPER_REPOSITORY,
  DEVELOPER_SESSIONS,
  SESSION_REPOSITORY,
} from '../../composition/tokens.js';
import {
  DeveloperSessions,
  Passwords,
  type AuditTrail,
  type DeveloperRepository,
  type SessionRepository,
} from '../../application/index.js';
import { listening } from './socket.js';

export const PASSWORD = 'violin-crater-7-moss';

export interface PanelService extends Pick<Composition, 'container'> {
  readonly url: string;
  /** Every line of the log so far. */
  readonly logged: readonly string[];
  /** A welcome link for this developer. */
  readonly invite: (developer: string) => Promise<string>;
  close(): Promise<void>;
}

/** What the service is started with; nothing of the machine's own environment. */
export type PanelSettings = Readonly<Record<string, string>>;

const SETTINGS: PanelSettings = { STORAGE: 'memory', RATE_LIMIT_FAILED_AUTH: 'off' };

/** The whole service on a free port, with the starter categories; its passwords are hashed quickly, and nobody is held. */
export async function startPanel(settings: PanelSettings = {}): Promise<PanelService> {
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-panel-'));
  const config = readConfig({ ...SETTINGS, DATA_DIR: folder, ...settings });
  const composition = await compose(config);
  const { container, store } = composition;
  await store.noteCurrency(config.currency);
  await container.get(CATEGORY_REPOSITORY).save(starterCategories());
  container
    .rebind(DEVELOPER_SESSIONS)
    .toResolvedValue(quickSessions, [DEVELOPER_REPOSITORY, SESSION_REPOSITORY, AUDIT_TRAIL])
    .inSingletonScope();
  let written = '';
  const log = newLog('info', [], { write: (lines) => (written += lines) });
  const service = await listening(newHttpService(config, composition, log, async () => true));
  const url = config.tls ? service.url.replace('http:', 'https:') : service.url;
  return {
    url,
    container,
    get logged() {
      void log.flushed();
      return written.split('\n').slice(0, -1);
    },
    invite: async (developer) => `${url}/panel/welcome/${(await container.get(DEVELOPER_ACCOUNTS).invite(developer)).token}`,
    close: async () => {
      await service.close();
      await container.get(AUDIT_TRAIL).settled();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function quickSessions(developers: DeveloperRepository, sessions: SessionRepository, audit: AuditTrail): DeveloperSessions {
  return new DeveloperSessions(developers, sessions, { passwords: new Passwords({ cost: 4 }), audit });
}

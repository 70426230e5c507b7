import { InMemoryApiKeyRepository } from '../../../adapters/in-memory/api-key-repository.js';
import { InMemoryAuditLog } from '../../../adapters/in-memory/audit-log.js';
import { InMemoryAutomationRepository } from '../../../adapters/in-memory/automation-repository.js';
import { InMemoryDeveloperRepository } from '../../../adapters/in-memory/developer-repository.js';
import { InMemorySessionRepository } from '../../../adapters/in-memory/session-repository.js';
import { AuditTrail } from '../../../application/audit-trail.js';
import { DeveloperAccounts } from '../../../application/developer-accounts.js';
import { DeveloperSessions } from '../../../application/developer-sessions.js';
import { Passwords } from '../../../application/passwords.js';
import { OPERATOR } from '../../../domain/access.js';
import { StoppedClock } from './people.js';

export const PASSWORD = 'violin-crater-7-moss';
export const HOME = { address: '192.0.2.1', requestId: 'request-1' };

/** Accounts in memory, with hashes that are quick. Each port may be given another around it. */
export function openAccounts(around = <Port extends object>(port: Port): Port => port) {
  const clock = new StoppedClock();
  const auditLog = new InMemoryAuditLog();
  const stored = new InMemorySessionRepository(auditLog);
  const [developers, sessionRepository] = [around(new InMemoryDeveloperRepository(stored, auditLog)), around(stored)];
  const keys = around(new InMemoryApiKeyRepository(auditLog));
  const audit = new AuditTrail(around(auditLog), { now: clock.now });
  const automations = new InMemoryAutomationRepository(auditLog);
  const ports = { developers, automations };
  const accounts = new DeveloperAccounts(ports, { now: clock.now, audit });
  const passwords = new Passwords({ cost: 4 });
  const sessions = new DeveloperSessions(developers, sessionRepository, { now: clock.now, passwords, audit });
  const history = async () => {
    await audit.settled();
    const { items } = await audit.list(OPERATOR, { limit: 100 });
    return items.map(({ actor, action, developerId = '' }) => `${actor} ${action} ${developerId}`.trim()).reverse();
  };
  const stores = { developers, sessionRepository, automations, auditLog };
  return { clock, keys, ...stores, audit, accounts, passwords, sessions, history };
}

export type Accounts = ReturnType<typeof openAccounts>;

/** Invites a developer who accepts, and answers the session's token. */
export async function welcome(
  { accounts, sessions }: Accounts,
  id: string,
  name: string,
  password = PASSWORD,
): Promise<string> {
  const { token } = await accounts.invite(OPERATOR, id);
  return (await sessions.accept(token, { name, password })).token;
}

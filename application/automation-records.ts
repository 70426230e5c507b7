import { OPERATOR, requireScope, type Actor, type Caller } from '../domain/access.js';
import { automationId } from '../domain/automation.js';
import { newPage } from '../domain/page.js';
import { DomainError } from '../domain/errors.js';
import type { ArchivedAutomation, AutomationArchive } from '../domain/ports.js';
import { cursorPage, type CursorPage, type CursorRequest } from './cursor-page.js';
import type { Automation } from '../domain/automation.js';

/** What developers and the operator read of automations, also of withdrawn ones. */
export class AutomationRecords {
  /** Uses the archive of one store. */
  constructor(private readonly archive: AutomationArchive) {}

  /** Returns the caller's own automations on sale, newest first. Fails as `invalid`. */
  async listOwn(caller: Caller, { limit, before }: CursorRequest = {}): Promise<CursorPage<Automation>> {
    requireScope(caller, 'automations:read');
    const page = newPage({ limit });
    const after = before === undefined ? undefined : automationId(before);
    if (before !== undefined && after === undefined) return { items: [] };
    const found = await this.archive.scan({
      developerId: caller.developerId,
      status: 'on-sale',
      order: 'newest-first',
      limit: page.limit + 1,
      ...(after !== undefined && { after }),
    });
    return cursorPage(
      found.map(({ automation }) => automation),
      page.limit,
    );
  }

  /**
   * Returns one, also a withdrawn one with the reason: a developer one of their own, the operator any. Fails as
   * `not-found`.
   */
  async read(by: Actor, id: string): Promise<ArchivedAutomation> {
    if (by !== OPERATOR) requireScope(by, 'automations:read');
    const known = automationId(id);
    const found = known && (await this.archive.findAny(known));
    if (found === undefined || (by !== OPERATOR && found.automation.developerId !== by.developerId))
      throw new DomainError('not-found', 'no-such-automation', 'there is no automation with this id');
    return found;
  }
}

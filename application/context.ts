import type { Actor, DeveloperId, Origin } from '../domain/access.js';
import type { AuditAction, AuditEvent } from '../domain/audit.js';
import type { Audited, DeveloperAddition } from '../domain/ports.js';
import type { AuditTrail } from './audit-trail.js';
import { clockOf, idsOf } from './host-sources.js';

/** The clock, the source of ids and the audit: options of the use cases that change something. */
export interface ContextOptions {
  /** The clock; the machine's by default. */
  readonly now?: (() => Date) | undefined;
  /** A new UUID in lower case; version 7 by default. */
  readonly newId?: (() => string) | undefined;
  /** Makes the entries of what is changed. */
  readonly audit?: AuditTrail | undefined;
}

/** The clock, the source of ids and the audit of a use case, with their defaults. */
export class Context {
  readonly now: () => Date;
  readonly newId: () => string;
  readonly audit: AuditTrail | undefined;

  /** @throws TypeError for a clock or ids that are none */
  constructor({ now, newId, audit }: ContextOptions) {
    this.now = clockOf(now);
    this.newId = idsOf(newId);
    this.audit = audit;
  }

  /**
   * Returns the entry of a change of an account, in the form in which a port takes it; none without a trail. It is
   * stored in the transaction of the change. `AuditTrail.record` is for what no port stores together with its entry.
   */
  audited(
    by: Actor,
    action: AuditAction,
    developerId: DeveloperId | undefined,
    about: Pick<AuditEvent, 'subject' | 'predecessor' | 'role'> = {},
  ): Audited {
    return { entries: this.audit === undefined ? [] : [this.audit.entryOf(by, { action, developerId, ...about })] };
  }

  /** Returns what a developer is added with, now. */
  addition(by: Actor, developerId: DeveloperId): DeveloperAddition {
    return { at: this.now(), ...this.audited(by, 'developer-added', developerId) };
  }

  /** Does the same for a request without an actor, such as a sign-in. */
  auditedAs(events: readonly AuditEvent[], origin: Origin): Audited {
    return { entries: events.flatMap((event) => this.audit?.newEntry(event, origin) ?? []) };
  }
}

import type { AuditEntry } from '../../application/index.js';
import { ownPage, type Acting } from './acting.js';
import { operatorPage } from './operator/guards.js';
import type { Page } from './page.js';
import { TEXTS } from './texts.js';
import type { Context, Handler, Panel } from './visit.js';

/** The subject of a part of a history; empty for everything. */
export type HistoryKind = '' | 'automations' | 'categories' | 'keys' | 'account';

/** The history that a page shows: a developer's own, or for operators that of everyone. */
export interface HistoryView {
  /** Below `/panel`. */
  readonly path: string;
  readonly current: NonNullable<Page['current']>;
  readonly texts: { readonly title: string; readonly lead: string };
  /** The kinds to choose from, and their texts. */
  readonly kinds: Readonly<Partial<Record<HistoryKind, string>>>;
  readonly isEveryones: boolean;
  page(panel: Panel, show: (ctx: Context, acting: Acting) => Promise<void>): Handler;
  /** Returns who did it, in words. */
  actorOf(entry: AuditEntry): string;
}

export const OWN_HISTORY: HistoryView = {
  path: '/history',
  current: 'history',
  texts: TEXTS.history,
  kinds: TEXTS.history.kinds,
  isEveryones: false,
  page: ownPage,
  actorOf: ({ actor }) => TEXTS.history.actors[actor],
};

export const MARKETPLACE_HISTORY: HistoryView = {
  path: '/operator/history',
  current: 'marketplaceHistory',
  texts: TEXTS.operator.history,
  kinds: TEXTS.operator.history.kinds,
  isEveryones: true,
  page: operatorPage,
  actorOf: ({ actor, operatorId, developerId }) => {
    if (actor === 'operator') return operatorId ?? TEXTS.operator.history.command;
    return (actor === 'developer' ? developerId : undefined) ?? TEXTS.history.actors.anonymous;
  },
};

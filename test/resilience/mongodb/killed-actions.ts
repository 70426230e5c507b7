import type { Automation } from '../../../domain/automation.js';
import type { Storage } from '../../../domain/ports.js';
import {
  at,
  auditEntry,
  automation,
  automationIdOf,
  bulkWithdrawal,
  offer,
  revision,
  TOOLS,
} from '../../contracts/offers.js';

/** What a process is killed at, and how many commands its transaction has before the commit. */
interface KilledAction {
  readonly commands: number;
  /** Does it, and returns the number of automations on sale that it adds. */
  act(storage: Storage): Promise<number>;
}

const entry = auditEntry(100);

/** In a store of the offers 1 to 20, of which the even ones are games. */
export const ACTIONS = {
  add: {
    commands: 4,
    act: async ({ automations }) => {
      const outcomes = await automations.add([offer(100, { key: 'key', auditEntry: entry })]);
      return outcomes.filter(({ outcome }) => outcome === 'stored').length;
    },
  },
  revise: {
    commands: 3,
    act: async ({ automations }) => {
      const games: Automation = automation(8, { categoryId: 'games' as never });
      const { outcome } = await automations.revise(revision(games, { title: 'Revised', categoryId: TOOLS }, entry));
      return outcome === 'revised' ? 0 : Number.NaN;
    },
  },
  withdraw: {
    commands: 3,
    act: async ({ automations }) => {
      const outcome = await automations.withdraw(automationIdOf(8), { at: at(1), by: 'developer', auditEntry: entry });
      return outcome === 'withdrawn' ? -1 : Number.NaN;
    },
  },
  withdrawAll: {
    commands: 4,
    act: async ({ automations }) => -(await automations.withdrawAll(bulkWithdrawal(5, { firstEntry: 100 }))).length,
  },
} as const satisfies Readonly<Record<string, KilledAction>>;

export type Action = keyof typeof ACTIONS;

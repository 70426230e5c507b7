import type { Storage } from '../../../domain/ports.js';
import {
  at,
  auditEntry,
  automationIdOf,
  bulkWithdrawal,
  fileOf,
  GAMES,
  mixedOffers,
  offerWithFile,
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
const [FIRST, SECOND] = [new Uint8Array(1), new Uint8Array(2)];
const GIVEN = offerWithFile(2, FIRST, { categoryId: GAMES });

/** The offers 1 to 20, of which the even ones are games, and the second has a file. */
export const OFFERS = mixedOffers(20).map((one, index) => (index === 1 ? GIVEN : one));

/** In a store of these offers. */
export const ACTIONS = {
  add: {
    commands: 5,
    act: async ({ automations }) => {
      const outcomes = await automations.add([offerWithFile(100, SECOND, { key: 'key', auditEntry: entry })]);
      return outcomes.filter(({ outcome }) => outcome === 'stored').length;
    },
  },
  revise: {
    commands: 4,
    act: async ({ automations }) => {
      const change = revision(GIVEN.automation, { title: 'Revised', categoryId: TOOLS, file: fileOf(SECOND) }, entry);
      const { outcome } = await automations.revise({ ...change, fileContent: SECOND });
      return outcome === 'revised' ? 0 : Number.NaN;
    },
  },
  withdraw: {
    commands: 4,
    act: async ({ automations }) => {
      const outcome = await automations.withdraw(automationIdOf(2), { at: at(1), by: 'developer', auditEntry: entry });
      return outcome === 'withdrawn' ? -1 : Number.NaN;
    },
  },
  withdrawAll: {
    commands: 5,
    act: async ({ automations }) => -(await automations.withdrawAll(bulkWithdrawal(5, { firstEntry: 100 }))).length,
  },
} as const satisfies Readonly<Record<string, KilledAction>>;

export type Action = keyof typeof ACTIONS;

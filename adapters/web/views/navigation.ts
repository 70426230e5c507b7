import { isAtOrBelow } from '../../edge/middleware/base-path.js';
import type { SignedInDeveloper } from '../../edge/context.js';
import type { IconName } from './icons.js';
import type { Role } from '../../../application/index.js';
import { COMMON_TEXTS, OPERATOR_GROUP, SECTION_TEXTS } from './texts.js';

/** A link to a page. The page whose `current` is its id is marked. */
export interface NavigationEntry {
  readonly id: string;
  readonly text: string;
  readonly href: string;
  readonly icon: IconName;
}

/** Entries that belong together, with their heading; the first group has none. */
export interface NavigationGroup {
  readonly title?: string;
  readonly entries: readonly NavigationEntry[];
}

/** A person who is signed in, as the header shows them. */
export interface Visitor {
  readonly name: string;
  /** Shown when one points at the name. */
  readonly account: string;
  /** The token in every form of this session. */
  readonly formToken: string;
  readonly canSignOut: boolean;
  readonly groups: readonly NavigationGroup[];
}

/** Which parts of the service have pages. */
export interface Parts {
  /** The documentation of the API. */
  readonly docs: boolean;
  readonly catalogue: boolean;
  readonly panel: boolean;
}

/** Returns the entries that everyone sees. `at` is the public path of the service. */
export function mainEntries(at: string, { docs, catalogue, panel }: Parts): readonly NavigationEntry[] {
  return [
    ...(catalogue
      ? [{ id: 'catalogue', text: COMMON_TEXTS.catalogue, href: `${at}/catalogue`, icon: 'shop' } as const]
      : []),
    ...(docs ? [{ id: 'docs', text: COMMON_TEXTS.docs, href: `${at}/docs`, icon: 'code' } as const] : []),
    ...(panel ? [{ id: 'panel', text: COMMON_TEXTS.panel, href: `${at}/panel`, icon: 'panel' } as const] : []),
  ];
}

/** Which pages a panel has: those of apps with an authorization server, those of reports where the storage has them. */
export interface PanelParts {
  readonly apps: boolean;
  readonly reports: boolean;
}

/**
 * Returns the pages of the panel for a signed-in person: buyers sell nothing, operators have more.
 */
function panelGroups(at: string, role: Role, has: PanelParts): readonly NavigationGroup[] {
  const entry = (id: keyof typeof SECTION_TEXTS, icon: IconName) =>
    ({ id, text: SECTION_TEXTS[id], href: `${at}/panel/${id}`, icon }) satisfies NavigationEntry;
  const overview: NavigationEntry = { ...entry('overview', 'home'), href: `${at}/panel` };
  const apps = has.apps ? [entry('apps', 'window'), entry('connected', 'link')] : [];
  const [keys, account] = [[entry('keys', 'key'), ...apps], entry('account', 'person')];
  if (role === 'buyer') return [{ entries: [...keys, account] }];
  const forOperators: NavigationEntry[] = [
    { ...entry('allAutomations', 'box'), href: `${at}/panel/operator/automations` },
    ...(has.reports ? [{ ...entry('reports', 'warning'), href: `${at}/panel/operator/reports` }] : []),
    { ...entry('categories', 'folder'), href: `${at}/panel/operator/categories` },
    { ...entry('people', 'people'), href: `${at}/panel/operator/developers` },
    { ...entry('marketplaceHistory', 'clock'), href: `${at}/panel/operator/history` },
  ];
  return [
    { entries: [overview, entry('automations', 'box'), ...keys, entry('history', 'clock'), account] },
    ...(role === 'operator' ? [{ title: OPERATOR_GROUP, entries: forOperators }] : []),
  ];
}

/** Returns the id of the entry to which a page belongs: the one with the longest address above that of the page. */
export function sectionOf({ groups }: Visitor, address: string): string | undefined {
  const above = groups.flatMap(({ entries }) => entries).filter(({ href }) => isAtOrBelow(address, href));
  return above.toSorted((one, other) => other.href.length - one.href.length)[0]?.id;
}

/** Returns a signed-in developer as the header of a page shows them. `at` is the public path of the service. */
export function visitorOf(at: string, { account, formToken, canSignOut }: SignedInDeveloper, has: PanelParts): Visitor {
  const groups = panelGroups(at, account.role, has);
  return { name: account.signInName ?? account.id, account: account.id, formToken, canSignOut, groups };
}

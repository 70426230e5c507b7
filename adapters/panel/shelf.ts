import { ownForm, ownPage, type Acting } from './acting.js';
import type { FormOf, PageOf } from './guards.js';
import { operatorForm, operatorPage } from './operator/guards.js';
import type { Page } from './page.js';
import { TEXTS } from './texts.js';

/** The automations that a group of pages shows: a developer's own, or for operators those of everyone. */
export interface Shelf {
  /** The path of the list, below `/panel`. */
  readonly path: string;
  readonly current: NonNullable<Page['current']>;
  readonly texts: typeof TEXTS.ownShelf;
  readonly isEveryones: boolean;
  readonly page: PageOf<Acting>;
  readonly form: FormOf<Acting>;
}

export const OWN_SHELF: Shelf = {
  path: '/automations',
  current: 'automations',
  texts: TEXTS.ownShelf,
  isEveryones: false,
  page: ownPage,
  form: ownForm,
};

export const EVERYONES_SHELF: Shelf = {
  path: '/operator/automations',
  current: 'allAutomations',
  texts: TEXTS.operator.shelf,
  isEveryones: true,
  page: operatorPage,
  form: operatorForm,
};

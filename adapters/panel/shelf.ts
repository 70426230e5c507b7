import type { Actor, AuditEntry } from '../../application/index.js';
import { sellerForm, sellerPage } from './guards.js';
import type { Form } from './form.js';
import { operatorForm, operatorPage } from './operator/guards.js';
import type { Page } from './page.js';
import { TEXTS } from './texts.js';
import type { Context, Handler, Panel, SignedInDeveloper } from './visit.js';

/** A signed-in person, and the rights with which they act on the automations of a page. */
export interface Acting extends SignedInDeveloper {
  readonly by: Actor;
}

/** The automations that a group of pages shows: a developer's own, or for operators those of everyone. */
export interface Shelf {
  /** The path of the list, below `/panel`. */
  readonly path: string;
  readonly current: NonNullable<Page['current']>;
  readonly texts: typeof TEXTS.ownShelf;
  readonly isEveryones: boolean;
  page(panel: Panel, show: (ctx: Context, acting: Acting) => Promise<void>): Handler;
  form(panel: Panel, act: (ctx: Context, acting: Acting, form: Form) => Promise<void>): Handler;
  /** Returns who withdrew an automation, in words. */
  withdrawnBy(withdrawal: AuditEntry): string;
}

export const OWN_SHELF: Shelf = {
  path: '/automations',
  current: 'automations',
  texts: TEXTS.ownShelf,
  isEveryones: false,
  page: (panel, show) => sellerPage(panel, (ctx, signedIn) => show(ctx, actingAlone(signedIn))),
  form: (panel, act) => sellerForm(panel, (ctx, signedIn, form) => act(ctx, actingAlone(signedIn), form)),
  withdrawnBy: ({ actor }) => TEXTS.automation.withdrawnBy[actor],
};

export const EVERYONES_SHELF: Shelf = {
  path: '/operator/automations',
  current: 'allAutomations',
  texts: TEXTS.operator.shelf,
  isEveryones: true,
  page: operatorPage,
  form: operatorForm,
  withdrawnBy: ({ actor, operatorId }) => TEXTS.operator.withdrawnBy(actor, operatorId),
};

/** Returns a developer who acts on what is their own. */
function actingAlone(signedIn: SignedInDeveloper): Acting {
  return { ...signedIn, by: signedIn.caller };
}

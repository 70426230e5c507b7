import type { UseCases } from '../../application/index.js';
import { PAGE_OPTIONS, type PageOptions } from '../web/page-options.js';

/** The use cases that the catalogue shows; `newCore` makes them. */
export type CatalogueCore = Pick<UseCases, 'catalogue' | 'profiles' | 'sessions'>;

/** The options of the host. */
export interface CatalogueOptions extends PageOptions {
  /** The visitors: everybody, or only members. Default: members if visitors can sign in, else everybody. */
  readonly visibility?: 'members' | 'public' | undefined;
  /** Whether the panel is next to it: members create keys there, and sign in without `authenticate`. Default: false. */
  readonly panel?: boolean | undefined;
  /** Whether the panel has pages about apps, as it has with `consents`, to link to. Default: false. */
  readonly apps?: boolean | undefined;
}

export const CATALOGUE_OPTIONS = {
  visibility: true,
  panel: true,
  apps: true,
  ...PAGE_OPTIONS,
} as const;

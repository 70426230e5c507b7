import type { PlatformName, UseCases } from '../../application/index.js';
import { PAGE_OPTIONS, type PageOptions } from '../web/page-options.js';

/** The use cases that the catalogue shows; `newCore` makes them. Without `reports`, nothing can be reported. */
export type CatalogueCore = Pick<UseCases, 'catalogue' | 'profiles' | 'sessions'> & Partial<Pick<UseCases, 'reports'>>;

/** Returns a picture of a platform's file as SVG that may stand in a page; undefined when there is none. */
export type DrawFile = (
  platform: PlatformName,
  content: Uint8Array,
) => string | undefined | Promise<string | undefined>;

/** The options of the host. */
export interface CatalogueOptions extends PageOptions {
  /** The visitors: everybody, or only members. Default: members if visitors can sign in, else everybody. */
  readonly visibility?: 'members' | 'public' | undefined;
  /** Whether the panel is next to it: members create keys there, and sign in without `authenticate`. Default: false. */
  readonly panel?: boolean | undefined;
  /** Whether the panel has pages about apps, as it has with `consents`, to link to. Default: false. */
  readonly apps?: boolean | undefined;
  /** The path below `mountPath` where `createFilesApp` is, such as `/files`. Without it, pages lead to no file. */
  readonly filesPath?: string | undefined;
  /** Draws files, as `drawFile` of `automation-marketplace-file-inspection` does. Without it, there are no pictures. */
  readonly drawFile?: DrawFile | undefined;
  /**
   * The base addresses of the n8n installations whose templates are those of `createN8nLibrary`, such as
   * `https://n8n.example`: the page of a workflow of n8n opens it there. Default: none.
   */
  readonly n8nUrls?: readonly string[] | undefined;
}

export const CATALOGUE_OPTIONS = {
  visibility: true,
  panel: true,
  apps: true,
  filesPath: true,
  drawFile: true,
  n8nUrls: true,
  ...PAGE_OPTIONS,
} as const;

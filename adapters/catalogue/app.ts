import type { Sessions } from '../web/signed-in.js';
import type { Render } from '../web/views/views.js';
import type { Addresses } from './addresses.js';
import type { ListedParts } from './listed-parts.js';
import type { CatalogueCore } from './options.js';
import type { Pictures } from './pictures.js';
import type { ReportLimits } from './report-limits.js';
import type { SharedBodies } from './shared-bodies.js';

/** The state that the pages share. */
export interface CatalogueApp extends CatalogueCore, Sessions {
  readonly visibility: 'members' | 'public';
  readonly panel: boolean;
  readonly apps: boolean;
  readonly search: boolean;
  /** The base addresses of the n8n installations that open what is here. */
  readonly n8nUrls: readonly string[];
  readonly render: Render;
  readonly addresses: Addresses;
  /** Differs where the same facts make another page: in another program, and with other options. */
  readonly fingerprint: string;
  readonly bodies: SharedBodies;
  readonly pictures: Pictures;
  readonly listed: ListedParts;
  readonly reportLimits: ReportLimits;
}

import type { IncomingMessage } from 'node:http';
import type { Catalogue, CatalogueDevelopers } from '../../application/index.js';
import type { Context, OnError, OnRequestCompleted } from '../http/context.js';
import type { Overload } from '../http/middleware/overload.js';
import type { Brand } from '../http/views/brand.js';
import type { Visitor } from '../http/views/navigation.js';
import type { Render } from '../http/views/views.js';
import type { Addresses } from './addresses.js';

/** A visitor who is signed in, as the header shows them. */
export type Member = Visitor;

/** The core that the pages show, and what only its host knows. */
export interface CatalogueOptions {
  readonly catalogue: Catalogue;
  readonly developers: CatalogueDevelopers;
  /** Whether everybody may look, or only members. */
  readonly visibility: 'members' | 'public';
  /** Whether there is a panel, in which visitors sign in and create keys. */
  readonly panel: boolean;
  /** Default: the name and the drawing of the package. */
  readonly brand?: Brand;
  /** Whether automations can be found by words. */
  readonly search: boolean;
  /** Where browsers find the service, such as `https://market.example/shop`; empty if that is where it listens. */
  readonly publicUrl: string;
  /** Pages, feeds and sitemaps a minute for each address of visitors who are not signed in. */
  readonly pageRateLimit: number | 'off';
  /** Returns the IP address of the browser. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Returns the visitor who is signed in; may be undefined. Without it there are no members. */
  readonly memberOf?: (ctx: Context) => Promise<Member | undefined>;
  readonly overload: Overload;
  /** Called with every internal error (5xx). */
  readonly onError: OnError;
  /** Called with every request when it is over. */
  readonly onRequestCompleted: OnRequestCompleted;
}

/** What the pages share. */
export interface Shop extends CatalogueOptions {
  readonly render: Render;
  readonly addresses: Addresses;
  /** Differs in every process. */
  readonly processId: string;
}

import type { AutomationId, CategoryId } from '../../application/index.js';
import { withQuery } from '../web/pager.js';
import { parametersOf, type ListState } from './list-state.js';

/** The contents of a feed: everything, or one category, one developer, or both. */
export interface FeedScope {
  readonly category?: string | undefined;
  /** By the name in addresses. */
  readonly developer?: string | undefined;
}

/** The addresses of the pages, path-absolute. */
export class Addresses {
  readonly catalogue: string;
  readonly sitemap: string;

  /**
   * `root` is the path with which every address of the service begins. Files are at `filesPath` below it, or nowhere
   * where that is empty.
   */
  constructor(
    readonly root: string,
    private readonly filesPath: string,
  ) {
    this.catalogue = `${this.root}/catalogue`;
    this.sitemap = `${this.root}/sitemap.xml`;
  }

  list(state: ListState): string {
    return withQuery(this.catalogue, parametersOf(state));
  }

  category(id: CategoryId): string {
    return withQuery(this.catalogue, { category: id });
  }

  automation(id: AutomationId): string {
    return `${this.catalogue}/${id}`;
  }

  report(id: AutomationId): string {
    return `${this.automation(id)}/report`;
  }

  /** Returns the address of an automation's file; undefined where files are nowhere. */
  file(id: AutomationId): string | undefined {
    return this.filesPath === '' ? undefined : `${this.root}${this.filesPath}/${id}`;
  }

  developer(slug: string, page = 1): string {
    return withQuery(`${this.catalogue}/developers/${slug}`, { page: page === 1 ? '' : String(page) });
  }

  feed({ category = '', developer = '' }: FeedScope): string {
    return withQuery(`${this.catalogue}/feed.atom`, { category, developer });
  }

  /** A part of the sitemap: 0 has the lists, the others have automations. */
  sitemapPart(number: number): string {
    return `${this.root}/sitemap-${number}.xml`;
  }
}

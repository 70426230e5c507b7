import type { AutomationId, CategoryId } from '../../application/index.js';
import { queryOf, type ListState } from './list-state.js';

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

  /** `root` is the path with which every address of the service begins. */
  constructor(readonly root: string) {
    this.catalogue = `${this.root}/catalogue`;
    this.sitemap = `${this.root}/sitemap.xml`;
  }

  list(state: ListState): string {
    return withQuery(this.catalogue, queryOf(state));
  }

  category(id: CategoryId): string {
    return withQuery(this.catalogue, new URLSearchParams({ category: id }).toString());
  }

  automation(id: AutomationId): string {
    return `${this.catalogue}/${id}`;
  }

  developer(slug: string, page = 1): string {
    return withQuery(`${this.catalogue}/developers/${slug}`, page === 1 ? '' : `page=${page}`);
  }

  feed({ category, developer }: FeedScope): string {
    const query = new URLSearchParams();
    if (category !== undefined) query.set('category', category);
    if (developer !== undefined) query.set('developer', developer);
    return withQuery(`${this.catalogue}/feed.atom`, query.toString());
  }

  /** A part of the sitemap: 0 has the lists, the others have automations. */
  sitemapPart(number: number): string {
    return `${this.root}/sitemap-${number}.xml`;
  }
}

function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`;
}

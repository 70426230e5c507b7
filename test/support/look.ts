import type { Page } from 'playwright-core';

/** Is told of every page, as it stands. */
export type Look = (page: Page, name: string) => Promise<unknown>;

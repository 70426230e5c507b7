import type { Automation } from '../../application/index.js';
import { isTextType, mediaTypeOf } from '../../domain/file.js';
import { factLines } from '../web/views/file-facts.js';
import { sizeText } from '../web/views/locales.js';
import type { CatalogueApp } from './app.js';

/** Returns what the page of an automation shows of its file; undefined where there is none to get. */
export function shownFile({ addresses }: CatalogueApp, { id, file }: Automation) {
  const address = file === null ? undefined : addresses.file(id);
  if (file === null || address === undefined) return undefined;
  const { name, size, platform, facts } = file;
  const isText = isTextType(mediaTypeOf(name));
  return { address, name, size: sizeText(size), isText, platform, facts: facts ? factLines(facts) : [] };
}

/** Returns where a workflow of n8n is opened, by its id: in each n8n that has its templates here. */
export function n8nLinks({ n8nUrls }: CatalogueApp, { id, file }: Automation) {
  if (file?.platform !== 'n8n') return [];
  return n8nUrls.map((url) => ({
    address: `${url}/workflows/templates/${id}`,
    // One needs no name.
    place: n8nUrls.length > 1 ? url.replace(/^https?:\/\//, '') : undefined,
  }));
}

import type { Automation } from '../../application/index.js';
import { mediaTypeOf } from '../../domain/file.js';
import { factLines } from '../web/views/file-facts.js';
import { sizeText } from '../web/views/locales.js';
import type { CatalogueApp } from './app.js';

/** Returns what the page of an automation shows of its file; undefined where there is none to get. */
export function shownFile({ addresses }: CatalogueApp, { id, file }: Automation) {
  const address = file === null ? undefined : addresses.file(id);
  if (file === null || address === undefined) return undefined;
  const { name, size, platform, facts } = file;
  const isText = /^text\/|json$/.test(mediaTypeOf(name));
  return { address, name, size: sizeText(size), isText, platform, facts: facts ? factLines(facts) : [] };
}

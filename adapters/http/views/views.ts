import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';

/** Fills a template; values are always text, never markup. */
export type Render = (template: string, data?: object) => string;

/** Returns a renderer of the templates in a folder, each of which can also use the shared values. */
export function views(folder: URL, shared: object): Render {
  const eta = new Eta({ views: fileURLToPath(folder), cache: true, autoTrim: ['nl', false] });
  return (template, data) => eta.render(template, { ...shared, ...data });
}

import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';

/** Fills a template of `templates/`; whatever a value holds, it is text. */
export type Render = (template: string, data: object) => string;

/** @param shared what every template may use */
export function templates(shared: object): Render {
  const eta = new Eta({ views: fileURLToPath(new URL('./templates/', import.meta.url)), cache: true, autoTrim: ['nl', false] });
  return (template, data) => eta.render(template, { ...shared, ...data });
}

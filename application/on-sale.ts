import type { Automation } from '../domain/automation.js';
import { byName, type Category, type CategoryId, type CountedCategory } from '../domain/category.js';
import type { AutomationRepository, CategoryRepository } from '../domain/ports.js';
import { sha256 } from './defaults.js';

/** What marketplace and catalogue read alike of a store. */
interface Ports {
  readonly automations: AutomationRepository;
  readonly categories: CategoryRepository;
}

/** Returns the bytes of an automation's file; undefined when it has none, or is not as it was read any more. */
export async function readFileOf({ id, file }: Automation, automations: AutomationRepository) {
  const content = file && (await automations.readFile(id));
  return content && sha256(content) === file.sha256 ? content : undefined;
}

/** Returns every category, ordered by name, with the number of automations on sale in it. */
export async function countedCategories({ automations, categories }: Ports): Promise<readonly CountedCategory[]> {
  return counted(await Promise.all([categories.list(), automations.countByCategory()]));
}

/** Returns categories with their counts, ordered by name. */
export function counted([categories, counts]: readonly [
  readonly Category[],
  ReadonlyMap<CategoryId, number>,
]): readonly CountedCategory[] {
  return categories.map((one) => ({ ...one, automationCount: counts.get(one.id) ?? 0 })).sort(byName);
}

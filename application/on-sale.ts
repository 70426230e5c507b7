import type { Automation } from '../domain/automation.js';
import { byName, type Category, type CategoryId, type CountedCategory } from '../domain/category.js';
import type { AutomationRepository, CategoryRepository } from '../domain/ports.js';
import { sha256 } from './defaults.js';
import type { RefusedFiles } from './file-intake.js';

/** What marketplace and catalogue read alike of a store. */
interface Ports {
  readonly automations: AutomationRepository;
  readonly categories: CategoryRepository;
}

/** What reads files. */
interface FilePorts {
  readonly automations: AutomationRepository;
  readonly reports?: RefusedFiles | undefined;
}

export async function isFileRefused({ file }: Automation, { reports }: Pick<FilePorts, 'reports'>): Promise<boolean> {
  return file !== null && (await reports?.isRefused(file.sha256)) === true;
}

/**
 * Returns the bytes of an automation's file; undefined when it has none, is refused for everyone, or is not as it was
 * read any more.
 */
export async function readFileOf(automation: Automation, ports: FilePorts): Promise<Uint8Array | undefined> {
  const { id, file } = automation;
  if (file === null || (await isFileRefused(automation, ports))) return undefined;
  const content = await ports.automations.readFile(id);
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

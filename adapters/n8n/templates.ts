import type { Automation } from '../../application/index.js';
import { Problem } from '../edge/problems/problem.js';
import type { N8nLibraryCore } from './options.js';

type Catalogue = Pick<
  N8nLibraryCore['catalogue'],
  'categories' | 'find' | 'review' | 'read' | 'readFile' | 'isFileRefused'
>;

/** What a reader sees. */
export interface Library extends Pick<N8nLibraryCore, 'profiles'> {
  readonly catalogue: Catalogue;
  /** Whether templates are found by words. */
  readonly hasSearch: boolean;
}

/** What the files of the library are recognised as. */
export const PLATFORM = 'n8n';

/** The library for those who may see nothing. */
export const EMPTY: Catalogue = {
  categories: async () => [],
  find: async () => ({ items: [], total: 0, categories: [] }),
  review: () => [],
  read: async () => undefined,
  readFile: async () => undefined,
  isFileRefused: async () => false,
};

/** Returns a template as it stands in a list. It has no price: the editor would import it as if it were free. */
export async function itemOf(profiles: N8nLibraryCore['profiles'], automation: Automation) {
  const { id, title, createdAt, developerId, file } = automation;
  const username = (await profiles.show(developerId)).name.replace(/^@/, '');
  const nodes = (file?.facts?.needs ?? []).map((name) => ({ name, displayName: name }));
  return { id, name: title, createdAt, totalViews: 0, user: { username, name: username }, nodes };
}

/** Returns a template with everything that its page shows. */
export async function readTemplate({ catalogue, profiles }: Library, id: string): Promise<object> {
  const { automation, nodes, connections } = await contentOf(catalogue, id);
  const categories = (await catalogue.categories()).filter((one) => one.id === automation.categoryId);
  return {
    workflow: {
      ...(await itemOf(profiles, automation)),
      description: automation.description,
      image: [],
      categories: categories.map(({ id: categoryId, name }) => ({ id: categoryId, name })),
      workflow: { nodes, connections },
    },
  };
}

/** Returns what the editor puts on its canvas. */
export async function readWorkflow({ catalogue }: Library, id: string): Promise<object> {
  const { automation, nodes, connections, settings } = await contentOf(catalogue, id);
  return { id: automation.id, name: automation.title, workflow: { nodes, connections, settings } };
}

interface Content {
  readonly automation: Automation;
  readonly nodes: unknown;
  readonly connections: unknown;
  readonly settings: unknown;
}

/** Reads an automation and its file. They are read again when the file was replaced in between. */
async function contentOf(catalogue: Catalogue, id: string): Promise<Content> {
  for (let tries = 1; tries <= 2; tries += 1) {
    const { automation, withdrawn } = (await catalogue.read(id)) ?? {};
    if (automation?.file?.platform !== PLATFORM || withdrawn !== undefined)
      throw new Problem('not-found', 'There is no such template, or not any more.');
    const bytes = await catalogue.readFile(automation);
    if (bytes !== undefined) return { automation, ...workflowIn(bytes) };
    if (await catalogue.isFileRefused(automation))
      throw new Problem('not-found', 'An operator of the market has refused this template.');
  }
  throw new Problem('unavailable', 'The template cannot be read at the moment. Try again later.');
}

/** It was recognised when it was stored, so it is JSON with these members. */
function workflowIn(bytes: Uint8Array): Omit<Content, 'automation'> {
  const { nodes, connections, settings = {} } = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Content>;
  return { nodes, connections, settings };
}

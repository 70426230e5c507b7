import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Ability, CredentialUse, FileFacts } from '../../../domain/file-facts.js';
import { emailsIn, hostsIn } from '../addresses.js';
import { printable } from '../texts.js';
import { credentialTypesOf, factsOfNode } from './node-facts.js';
import { serviceOf, serviceOfCredential } from './services.js';
import { isNote, linksOf, type Node, type Workflow } from './workflow.js';

const MAX_LISTED = 50;
const MAX_TEXT = 100;

/** Packages that n8n brings. */
const OWN_PACKAGES = new Set(['n8n-nodes-base', '@n8n/n8n-nodes-langchain']);

/** Reads what a workflow calls and needs, and what of it may be private, in several turns of the event loop. */
export async function factsOf(workflow: Workflow, texts: string): Promise<FileFacts> {
  const found = new Found();
  await nextTurn();
  for (const node of workflow.nodes) addNode(node, found);
  await nextTurn();
  for (const host of hostsIn(texts)) found.add('remainingHosts', host);
  await nextTurn();
  for (const email of emailsIn(texts)) found.add('emails', email);
  await nextTurn();
  return {
    needs: found.list('needs'),
    hosts: found.list('hosts'),
    credentials: found.list('credentials').map((pair) => JSON.parse(pair) as CredentialUse),
    abilities: Array.from(found.abilities, ([kind, count]) => ({ kind, count })),
    communityPackages: found.list('communityPackages'),
    ...faultsOf(workflow),
    remaining: {
      documents: found.list('documents'),
      hosts: found.list('remainingHosts'),
      emails: found.list('emails'),
    },
    isComplete: found.isComplete,
  };
}

type ListName = 'needs' | 'hosts' | 'credentials' | 'communityPackages' | 'documents' | 'remainingHosts' | 'emails';

/** Texts that stand once in their list, of which each has at most `MAX_LISTED`. */
class Found {
  readonly abilities = new Map<Ability, number>();
  isComplete = true;
  readonly #lists = new Map<ListName, Set<string>>();

  add(name: ListName, text: string): void {
    const list = this.#lists.get(name) ?? new Set();
    this.#lists.set(name, list);
    if (list.size < MAX_LISTED) list.add(text);
    else if (!list.has(text)) this.isComplete = false;
  }

  list(name: ListName): readonly string[] {
    return [...(this.#lists.get(name) ?? [])].sort();
  }
}

function addNode(node: Node, found: Found): void {
  const { hosts, documents, abilities } = factsOfNode(node);
  for (const ability of abilities) found.abilities.set(ability, (found.abilities.get(ability) ?? 0) + 1);
  for (const document of documents) found.add('documents', printable(document, MAX_TEXT));
  const packageName = node.type.slice(0, Math.max(0, node.type.lastIndexOf('.'))) || node.type;
  if (packageName !== '' && !OWN_PACKAGES.has(packageName))
    found.add('communityPackages', printable(packageName, MAX_TEXT));
  const types = credentialTypesOf(node);
  const service = [serviceOf(node), ...types.map(serviceOfCredential)].find((name) => name !== undefined);
  if (service !== undefined) found.add('needs', printable(service, MAX_TEXT));
  for (const host of hosts) {
    found.add('hosts', host);
    for (const type of types) found.add('credentials', JSON.stringify({ type: printable(type, MAX_TEXT), host }));
  }
}

/** Counts what is broken. n8n connects by names: a connection with an end that is no name is lost. */
function faultsOf(workflow: Workflow): Pick<FileFacts, 'brokenConnections' | 'unconnectedSteps'> {
  const steps = workflow.nodes.filter((node) => !isNote(node));
  const names = new Set<unknown>(steps.map(({ name }) => name).filter((name) => typeof name === 'string'));
  const links = linksOf(workflow);
  const whole = links.filter(({ from, to }) => names.has(from) && names.has(to));
  const connected = new Set(whole.flatMap(({ from, to }) => [from, to]));
  const unconnected = steps.filter(({ name }) => !connected.has(name));
  return {
    brokenConnections: links.length - whole.length,
    unconnectedSteps: steps.length > 1 ? unconnected.length : 0,
  };
}

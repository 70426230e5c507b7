import { COMPUTED_HOST, type Ability } from '../../../domain/file-facts.js';
import { hostOf, hostsIn } from '../addresses.js';
import type { Path } from '../json-text.js';
import { eachText, isRecord, memberOf } from '../texts.js';
import { documentsIn } from './documents.js';
import { isNote, kindOf, type Node } from './workflow.js';

export interface NodeFacts {
  /** The hosts that it calls. */
  readonly hosts: ReadonlySet<string>;
  readonly documents: ReadonlySet<string>;
  readonly abilities: ReadonlySet<Ability>;
}

const KINDS_OF_ABILITIES: Readonly<Record<Exclude<Ability, 'environment'>, readonly string[]>> = {
  code: ['code', 'function', 'functionItem', 'aiTransform', 'toolCode'],
  commands: ['executeCommand'],
  ssh: ['ssh'],
  'file-access': ['readWriteFile', 'readBinaryFile', 'readBinaryFiles', 'writeBinaryFile', 'localFileTrigger'],
  'sub-workflow': ['executeWorkflow', 'toolWorkflow', 'retrieverWorkflow'],
  'public-trigger': ['webhook', 'formTrigger', 'mcpTrigger'],
};
const ABILITY_OF: ReadonlyMap<string, Ability> = new Map(
  Object.entries(KINDS_OF_ABILITIES).flatMap(([ability, kinds]) => kinds.map((kind) => [kind, ability as Ability])),
);
const CALL = new RegExp(
  '\\b(?:fetch|axios(?:\\.\\w{1,10})?|httpRequest(?:WithAuthentication)?|helpers\\.request\\w{0,20}|' +
    'https?\\.(?:get|request)|urlopen|requests\\.\\w{1,10})\\s{0,3}\\(',
  'g',
);

/** Nodes that call nothing, whatever the names of their parameters. */
const CALLS_NOTHING = new Set(['noOp', 'stickyNote', 'set', 'respondToWebhook', 'form', 'formTrigger', 'webhook']);
const CALLS_ANYWHERE = new Set(['httpRequest', 'toolHttpRequest', 'graphql']);
/** Further down, a `url` is a column of a table or the like. */
const MAX_DEPTH_OF_ADDRESS = 2;
const BEFORE_URL = '(?:base|server|host|instance|api|feed|next|webhook|sse|graphql)?_?';
const ADDRESS = new RegExp(`^(?:${BEFORE_URL}ur[il]|(?:sse)?endpoint(?:url)?|host(?:name)?)$`, 'i');

export function factsOfNode(node: Node): NodeFacts {
  const kind = kindOf(node);
  const ability = ABILITY_OF.get(kind);
  const [hosts, documents] = [new Set<string>(), new Set<string>()];
  const abilities = new Set(ability === undefined ? [] : [ability]);
  if (kind === 'chatTrigger' && memberOf(node.parameters, 'public') === true) abilities.add('public-trigger');
  const runsCommands = ability === 'commands' || ability === 'ssh';
  // A command may call a host that it names without a scheme.
  let [calls, addresses] = [runsCommands ? Infinity : 0, 0];
  eachText(node.parameters, (text, path, isName) => {
    if (isName || isNote(node)) return;
    if (text.includes('$env')) abilities.add('environment');
    for (const document of documentsIn(text, path)) documents.add(document);
    const host = isAddress(kind, path) ? hostOf(text) : undefined;
    if (host !== undefined) hosts.add(host);
    if (ability !== 'code' && !runsCommands) return;
    const named = hostsIn(text);
    for (const one of named) hosts.add(one);
    calls += text.match(CALL)?.length ?? 0;
    addresses += named.length;
  });
  if (calls > addresses) hosts.add(COMPUTED_HOST);
  return { hosts, documents, abilities };
}

/** Returns the types of credentials that a node has or asks for. */
export function credentialTypesOf({ credentials, parameters }: Node): readonly string[] {
  const chosen = [memberOf(parameters, 'nodeCredentialType'), memberOf(parameters, 'genericAuthType')];
  const types = [...(isRecord(credentials) ? Object.keys(credentials) : []), ...chosen];
  return [...new Set(types)].filter((type) => typeof type === 'string');
}

function isAddress(kind: string, path: Path): boolean {
  if (CALLS_NOTHING.has(kind)) return false;
  const isNear = path.length <= MAX_DEPTH_OF_ADDRESS || CALLS_ANYWHERE.has(kind);
  return isNear && ADDRESS.test(String(path[path.length - 1]));
}

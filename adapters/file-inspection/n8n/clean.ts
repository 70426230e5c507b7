import type { RemovedKind } from '../../../domain/file-facts.js';
import { editJson, type Fate, type Path } from '../json-text.js';
import type { CleanedText } from '../platform.js';
import { isRecord, memberOf } from '../texts.js';
import type { Workflow } from './workflow.js';

const OF_WORKFLOW = new Set(['name', 'nodes', 'connections', 'settings']);
/** Those that mean the same in every installation. */
const OF_SETTINGS = new Set([
  ...['executionOrder', 'timezone', 'executionTimeout', 'callerPolicy', 'binaryMode', 'timeSavedPerExecution'],
  ...['saveExecutionProgress', 'saveManualExecutions', 'saveDataErrorExecution', 'saveDataSuccessExecution'],
]);
const OF_NODE = new Set([
  ...['id', 'name', 'type', 'typeVersion', 'position', 'parameters', 'disabled', 'notes', 'notesInFlow', 'credentials'],
  ...['onError', 'continueOnFail', 'retryOnFail', 'maxTries', 'waitBetweenTries', 'alwaysOutputData', 'executeOnce'],
  'extendsCredential',
]);
/** What the editor shows of a chosen document, so that it need not ask the service again. */
const OF_DOCUMENT: ReadonlyMap<unknown, RemovedKind> = new Map([
  ['cachedResultUrl', 'document-link'],
  ['cachedResultName', 'document-name'],
]);

/** Removes all but a list of what stays, since each version of n8n exports new members. */
export function clean(text: string, workflow: Workflow): CleanedText {
  const counts = new Map<RemovedKind, number>();
  const edited = editJson(text, (path) => {
    const fate = fateOf(path, workflow);
    if (fate !== 'keep') {
      const [kind, count] = removedAt(path, valueAt(workflow, path));
      counts.set(kind, (counts.get(kind) ?? 0) + count);
    }
    return fate;
  });
  return { ...edited, removed: Array.from(counts, ([kind, count]) => ({ kind, count })) };
}

function fateOf(path: Path, workflow: Workflow): Fate {
  const [first, third, last] = [path[0], path[2], path[path.length - 1] as string];
  if (path.length === 1) return stays(OF_WORKFLOW.has(last));
  if (first === 'settings') return stays(path.length > 2 || OF_SETTINGS.has(last));
  if (first !== 'nodes' || path.length < 3) return 'keep';
  if (third === 'parameters') return stays(!OF_DOCUMENT.has(last));
  if (third === 'credentials') return fateOfCredential(path, valueAt(workflow, path));
  return stays(path.length > 3 || OF_NODE.has(last));
}

/** Keeps the types of credentials alone. */
function fateOfCredential(path: Path, value: unknown): Fate {
  if (path.length === 3) return stays(isRecord(value));
  const isEmpty = isRecord(value) && Object.keys(value).length === 0;
  if (isEmpty) return 'keep';
  return typeof value === 'object' || typeof value === 'string' ? 'empty' : 'drop';
}

function stays(isKept: boolean): Fate {
  return isKept ? 'keep' : 'drop';
}

function removedAt(path: Path, value: unknown): readonly [RemovedKind, number] {
  const last = path.at(-1);
  if (path.length === 1 && last === 'pinData' && isRecord(value) && Object.keys(value).length > 0)
    return ['pinned-data', Object.keys(value).length];
  if (path.length === 1 && last === 'meta' && memberOf(value, 'instanceId') !== undefined)
    return ['installation-id', 1];
  if (path[2] === 'credentials') return ['credential', 1];
  if (path.length === 3 && last === 'webhookId') return ['webhook-id', 1];
  return [OF_DOCUMENT.get(last) ?? 'other', 1];
}

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce((value: unknown, key) => memberOf(value, String(key)), root);
}

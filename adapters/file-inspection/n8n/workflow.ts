import { isRecord, memberOf } from '../texts.js';

/** A node, of which only the type is sure. */
export interface Node {
  readonly type: string;
  readonly name?: unknown;
  readonly position?: unknown;
  readonly parameters?: unknown;
  readonly credentials?: unknown;
}

export interface Workflow {
  readonly name?: unknown;
  readonly nodes: readonly Node[];
  readonly connections: Readonly<Record<string, unknown>>;
}

/** A connection as it stands in the file: by the names of nodes that may not be there. */
export interface Link {
  readonly from: string;
  readonly to: unknown;
  /** `main`, or what a part is for an agent, such as `ai_tool`. */
  readonly type: string;
}

/** Checks what n8n itself checks when it imports a file. */
export function isWorkflow(value: unknown): value is Workflow {
  const nodes = memberOf(value, 'nodes');
  return (
    isRecord(value) &&
    Array.isArray(nodes) &&
    nodes.every((node) => isRecord(node) && typeof memberOf(node, 'type') === 'string') &&
    isRecord(memberOf(value, 'connections'))
  );
}

export function linksOf({ connections }: Workflow): readonly Link[] {
  return Object.entries(connections).flatMap(([from, types]) =>
    entriesOf(types).flatMap(([type, outputs]) =>
      itemsOf(outputs).flatMap((targets) =>
        itemsOf(targets).map((target) => ({ from, to: memberOf(target, 'node'), type })),
      ),
    ),
  );
}

/** Returns the last part of the type, such as `slack` of `n8n-nodes-base.slackTool`; a tool of an agent is the node. */
export function kindOf({ type }: Node): string {
  const end = type.endsWith('Tool') ? -'Tool'.length : undefined;
  return type.slice(type.lastIndexOf('.') + 1, end);
}

export function isNote(node: Node): boolean {
  return kindOf(node) === 'stickyNote';
}

const STARTS = new Set(['webhook', 'cron', 'interval', 'start', 'emailReadImap']);

export function isTrigger(node: Node): boolean {
  const kind = kindOf(node);
  return STARTS.has(kind) || kind.endsWith('Trigger');
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isRecord(value) ? Object.entries(value) : [];
}

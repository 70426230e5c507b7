import { DESCRIPTION, TITLE } from '../../../domain/automation.js';
import { trimmed } from '../../../domain/text.js';
import type { OwnWords } from '../platform.js';
import { memberOf } from '../texts.js';
import { isNote, kindOf, type Workflow } from './workflow.js';

/** With its extension, a file's name has at most 100 characters. */
const MAX_NAME = 95;

/** Returns the name of a workflow, and the text of its first sticky note, or else the kinds of its nodes. */
export function describe({ name, nodes }: Workflow): OwnWords {
  const title = cut(textOf(name).replace(/\s+/g, ' '), TITLE.maxLength);
  const notes = nodes.filter(isNote).map(({ parameters }) => textOf(memberOf(parameters, 'content')));
  const steps = nodes.filter((node) => !isNote(node));
  const kinds = Array.from(new Set(steps.map(kindOf))).join(', ');
  const count = `${steps.length} ${steps.length === 1 ? 'node' : 'nodes'}`;
  return {
    ...(title !== '' && { title, fileName: `${cut(title.replace(/[^\p{L}\p{M}\p{N}]+/gu, '_'), MAX_NAME)}.json` }),
    description: cut(notes.find((note) => note !== '') ?? `${count}: ${kinds}`, DESCRIPTION.maxLength),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? trimmed(value) : '';
}

/** Counts code points, as the rules of texts do. */
function cut(text: string, maxLength: number): string {
  return text.length > maxLength ? Array.from(text).slice(0, maxLength).join('') : text;
}

import type { FileFacts, FileViolation } from '../../domain/file-facts.js';
import { mediaTypeOf, type FileName } from '../../domain/file.js';
import type { FileInspection, FileInspector } from '../../domain/ports.js';
import { editJson, isTooDeep, type EditedJson, type Path } from './json-text.js';
import { clean } from './n8n/clean.js';
import { factsOf } from './n8n/facts.js';
import { draw } from './n8n/picture.js';
import { isWorkflow } from './n8n/workflow.js';
import { platformOf, type Platform } from './platform.js';
import { secretsIn } from './secrets.js';
import { eachText, placeOf, textsOf } from './texts.js';
import { secretViolation, violationOf } from './violations.js';

/** The first that recognises a content counts. */
const PLATFORMS: readonly Platform[] = [platformOf('n8n', isWorkflow, { clean, factsOf, draw })];

/** Texts are searched together, which takes less time than one by one. */
const BETWEEN_TEXTS = '\n';

/** Inspects files by tables of platforms and of what secrets look like. It runs nothing and asks nobody. */
export class TableFileInspector implements FileInspector {
  readonly platforms = PLATFORMS.map(({ id }) => id);

  async inspect(name: FileName, bytes: Uint8Array): Promise<FileInspection> {
    return inspectFile(name, bytes);
  }
}

/** Returns a picture of the content of a platform's file as SVG that may stand in a page; undefined without one. */
export function drawFile(platform: string, content: Uint8Array): string | undefined {
  const { draw: drawIt, recognises } = PLATFORMS.find(({ id }) => id === platform) ?? {};
  const value = jsonOf(decoded(content) ?? '');
  return recognises?.(value) === true ? drawIt?.(value) : undefined;
}

function inspectFile(name: FileName, bytes: Uint8Array): FileInspection {
  const mediaType = mediaTypeOf(name);
  const isJson = mediaType === 'application/json';
  const untouched = { content: new Uint8Array(bytes), removed: [] };
  if (!isJson && mediaType !== 'text/plain') return { ...untouched, violations: [] };
  const text = decoded(bytes);
  if (text === undefined) return { ...untouched, violations: [violationOf('invalid-text')] };
  const value = jsonOf(text);
  const platform = PLATFORMS.find(({ recognises }) => recognises(value));
  if (platform !== undefined) return inspectPlatformFile(platform, text, value, bytes);
  if (!isJson) return { ...untouched, violations: secretsOfText(text) };
  if (value !== undefined) {
    const edited = editJson(text, () => 'keep');
    const { isSecret, violations } = searchJson(value, textsOf(value));
    return { ...untouched, violations: [...faultsOf(edited, value, isSecret), ...violations] };
  }
  return { ...untouched, violations: [violationOf(isTooDeep(text) ? 'too-deep' : 'invalid-json')] };
}

function inspectPlatformFile(platform: Platform, text: string, value: unknown, bytes: Uint8Array): FileInspection {
  const cleaned = platform.clean(text, value);
  const isSame = cleaned.text === text;
  const left: unknown = isSame ? value : JSON.parse(cleaned.text);
  const texts = textsOf(left);
  const facts = platform.factsOf(left, texts.join(BETWEEN_TEXTS));
  const { isSecret, violations } = searchJson(left, texts);
  return {
    platform: platform.id,
    content: isSame ? new Uint8Array(bytes) : new TextEncoder().encode(cleaned.text),
    removed: cleaned.removed,
    facts: violations.length === 0 ? facts : withoutSecrets(facts, isSecret),
    violations: [...faultsOf(cleaned, value, isSecret), ...violations],
  };
}

/** Returns the text without a byte order mark; undefined for what is no UTF-8. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns what JSON says; undefined for any other text, and for JSON that is too deep for recursion. */
function jsonOf(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type IsSecret = (text: string) => boolean;

function faultsOf({ faults }: EditedJson, value: unknown, isSecret: IsSecret): readonly FileViolation[] {
  return faults.map(({ code, path }) => violationOf(code, placeOf(value, path, isSecret)));
}

/** Finds secrets. Some texts are secrets only behind another, such as the name of a header. */
function searchJson(value: unknown, texts: readonly string[]) {
  const found = secretsIn(texts.join(BETWEEN_TEXTS)).map(({ kind, end }) => ({ kind, index: indexAt(texts, end) }));
  const secrets = new Set(found.map(({ index }) => texts[index]));
  const isSecret: IsSecret = (text) => secrets.has(text) || secretsIn(text).length > 0;
  const violations = found.map(({ kind, index }) =>
    secretViolation(placeOf(value, pathOf(value, index), isSecret), kind),
  );
  return { violations, isSecret };
}

/** Leaves out of the lists what has a secret. */
function withoutSecrets(facts: FileFacts, isSecret: IsSecret): FileFacts {
  return JSON.parse(JSON.stringify(facts), (_, member: unknown) =>
    Array.isArray(member) ? member.filter((entry) => !textsOf(entry).some(isSecret)) : member,
  ) as FileFacts;
}

/** Returns which of the texts is at this place, when they stand one after the other. */
function indexAt(texts: readonly string[], place: number): number {
  let end = 0;
  return texts.findIndex((text) => {
    end += text.length + BETWEEN_TEXTS.length;
    return place < end;
  });
}

function pathOf(value: unknown, index: number): Path {
  let [count, found]: [number, Path] = [0, []];
  eachText(value, (_, path) => {
    if (count === index) found = [...path];
    count += 1;
  });
  return found;
}

function secretsOfText(text: string): readonly FileViolation[] {
  return secretsIn(text).map(({ kind, end }) => {
    const line = text.slice(0, end).split('\n').length;
    return secretViolation(`line ${line}`, kind);
  });
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FileFacts, FileViolation } from '../../domain/file-facts.js';
import { mediaTypeOf, type FileName } from '../../domain/file.js';
import type { FileInspection, FileInspector } from '../../domain/ports.js';
import { editJson, extentOf, MAX_LEVELS, MAX_VALUES, type EditedJson, type Path } from './json-text.js';
import { clean } from './n8n/clean.js';
import { describe } from './n8n/describe.js';
import { factsOf } from './n8n/facts.js';
import { draw } from './n8n/picture.js';
import { isWorkflow } from './n8n/workflow.js';
import { platformOf, type OwnWords, type Platform } from './platform.js';
import { secretsIn } from './secrets.js';
import { eachText, placeOf, textsOf } from './texts.js';
import { secretViolation, violationOf } from './violations.js';

/** The first that recognises a content counts. */
const PLATFORMS: readonly Platform[] = [platformOf('n8n', isWorkflow, { clean, factsOf, describe, draw })];

/** Texts are searched together, which takes less time than one by one. */
const BETWEEN_TEXTS = '\n';

/**
 * Inspects files by tables of platforms and of what secrets look like. It runs nothing and asks nobody. A large file is
 * inspected in several turns of the event loop.
 */
export class TableFileInspector implements FileInspector {
  readonly platforms = PLATFORMS.map(({ id }) => id);

  async inspect(name: FileName, bytes: Uint8Array): Promise<FileInspection> {
    return inspectFile(name, bytes);
  }
}

/** Returns a picture of the content of a platform's file as SVG that may stand in a page; undefined without one. */
export function drawFile(platform: string, content: Uint8Array): string | undefined {
  const { value } = readJson(content);
  const { draw: drawIt, recognises } = PLATFORMS.find(({ id }) => id === platform) ?? {};
  return recognises?.(value) === true ? drawIt?.(value) : undefined;
}

/**
 * Returns what a platform's file says of itself, and its content cleaned, which stays the same however often its tool
 * exports it; undefined for a file of no platform.
 */
export function describeFile(content: Uint8Array): (OwnWords & { readonly content: string }) | undefined {
  const { text, value } = readJson(content);
  const platform = PLATFORMS.find(({ recognises }) => recognises(value));
  return platform && { ...platform.describe(value), content: platform.clean(text, value).text };
}

/** Returns the text of a file, and what it says as JSON; undefined for any other text, and one that is too deep. */
function readJson(content: Uint8Array): { readonly text: string; readonly value: unknown } {
  const text = decoded(content) ?? '';
  return { text, value: extentOf(text).levels > MAX_LEVELS ? undefined : jsonOf(text) };
}

async function inspectFile(name: FileName, bytes: Uint8Array): Promise<FileInspection> {
  const mediaType = mediaTypeOf(name);
  const isJson = mediaType === 'application/json';
  const untouched = { content: new Uint8Array(bytes), removed: [] };
  if (!isJson && mediaType !== 'text/plain') return { ...untouched, violations: [] };
  const text = decoded(bytes);
  if (text === undefined) return { ...untouched, violations: [violationOf('invalid-text')] };
  const { levels, values } = extentOf(text);
  const value = levels > MAX_LEVELS ? undefined : jsonOf(text);
  const platform = PLATFORMS.find(({ recognises }) => recognises(value));
  await nextTurn();
  if (platform === undefined && !isJson) return { ...untouched, violations: secretsOfText(text) };
  if (value === undefined)
    return { ...untouched, violations: [violationOf(levels > MAX_LEVELS ? 'too-deep' : 'invalid-json')] };
  if (values > MAX_VALUES) return { ...untouched, violations: [violationOf('too-many-values')] };
  if (platform !== undefined) return inspectPlatformFile(platform, text, value, untouched.content);
  const edited = editJson(text, () => 'keep');
  await nextTurn();
  const { isSecret, violations } = await searchJson(value, textsOf(value));
  return { ...untouched, violations: [...faultsOf(edited, value, isSecret), ...violations] };
}

async function inspectPlatformFile(
  platform: Platform,
  text: string,
  value: unknown,
  sent: Uint8Array,
): Promise<FileInspection> {
  const cleaned = platform.clean(text, value);
  await nextTurn();
  const isSame = cleaned.text === text;
  const left: unknown = isSame ? value : JSON.parse(cleaned.text);
  const texts = textsOf(left);
  const facts = await platform.factsOf(left, texts.join(BETWEEN_TEXTS));
  const { isSecret, violations } = await searchJson(left, texts);
  return {
    platform: platform.id,
    content: isSame ? sent : new TextEncoder().encode(cleaned.text),
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

/** Returns what JSON says; undefined for any other text. */
function jsonOf(text: string): unknown {
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
async function searchJson(value: unknown, texts: readonly string[]) {
  const found = secretsIn(texts.join(BETWEEN_TEXTS)).map(({ kind, end }) => ({ kind, index: indexAt(texts, end) }));
  await nextTurn();
  const isKnown = new Map(found.map(({ index }) => [texts[index], true]));
  // A name may be long, and stand in many places.
  const isSecret: IsSecret = (text) => {
    const known = isKnown.get(text) ?? secretsIn(text).length > 0;
    isKnown.set(text, known);
    return known;
  };
  const paths = pathsOf(value, new Set(found.map(({ index }) => index)));
  const violations = found.map(({ kind, index }) =>
    secretViolation(placeOf(value, paths.get(index) ?? [], isSecret), kind),
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

/** Returns where these texts are, by their indexes. */
function pathsOf(value: unknown, indexes: ReadonlySet<number>): ReadonlyMap<number, Path> {
  const paths = new Map<number, Path>();
  let count = 0;
  eachText(value, (_, path) => {
    if (indexes.has(count)) paths.set(count, [...path]);
    count += 1;
  });
  return paths;
}

function secretsOfText(text: string): readonly FileViolation[] {
  const found = secretsIn(text);
  const lines = linesAt(
    text,
    found.map(({ end }) => end),
  );
  return found.map(({ kind, end }) => secretViolation(`line ${lines.get(end)}`, kind));
}

/** Returns the number of the line of each place. */
function linesAt(text: string, places: readonly number[]): ReadonlyMap<number, number> {
  let [line, place] = [1, 0];
  return new Map(
    places
      .toSorted((one, other) => one - other)
      .map((end) => {
        for (; place < end; place += 1) if (text[place] === '\n') line += 1;
        return [end, line];
      }),
  );
}

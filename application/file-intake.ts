import { checkFileDraft, type InspectedFile } from '../domain/file.js';
import type { RemovedPart } from '../domain/file-facts.js';
import type { FileInspector, ReportRepository } from '../domain/ports.js';
import { sha256 } from './defaults.js';

/** Tells which files are refused for everyone. */
export type RefusedFiles = Pick<ReportRepository, 'isRefused'>;

/** The file of a draft, and what is to be stored of it. */
export interface TakenFile extends InspectedFile {
  readonly content: Uint8Array;
  readonly removed: readonly RemovedPart[];
  /** The SHA-256 of what was sent, in hexadecimal. */
  readonly sentSha256: string;
}

/**
 * Returns the file of a draft, inspected; undefined when it has none, without an inspector, and for a file that breaks
 * a rule of its name or its size.
 */
export async function takeFile(
  inspector: FileInspector | undefined,
  reports: RefusedFiles | undefined,
  value: unknown,
): Promise<TakenFile | undefined> {
  const sent = checkFileDraft(value);
  if (inspector === undefined || sent === undefined) return undefined;
  const { name, bytes } = sent;
  const { content, removed, violations, platform, facts } = await inspector.inspect(name, bytes);
  const found = { ...(platform !== undefined && { platform }), ...(facts && { facts }) };
  const file = Object.freeze({ name, size: content.length, sha256: sha256(content), ...found });
  const isRefused = (await reports?.isRefused(file.sha256)) === true;
  return { file, content, removed, violations, isRefused, sentSha256: sha256(bytes) };
}

import type { FileName } from '../../domain/file.js';
import type { FileInspection, FileInspector } from '../../domain/ports.js';
import { numbers } from './offers.js';
import type { Suite } from './runner.js';

/** An inspector, and files that are its own. */
export interface Inspectable {
  readonly inspector: FileInspector;
  /** A file of JSON for each platform, of which something is removed and nothing is refused. */
  readonly files: readonly { readonly platform: string; readonly text: string }[];
  /** Texts, each with a secret that stands in it once, and a part of this secret that must not be reported. */
  readonly secrets: readonly { readonly text: string; readonly part: string }[];
}

export type Inspections = Suite<Inspectable>;

export const EVERY_BYTE = Uint8Array.from(numbers(256), (n) => n - 1);

export function inspect(inspector: FileInspector, name: string, text: string): Promise<FileInspection> {
  return inspector.inspect(name as FileName, bytesOf(text));
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

import type { PlatformName } from '../../domain/file.js';
import type { FileFacts, RemovedPart } from '../../domain/file-facts.js';
import type { EditedJson } from './json-text.js';

export interface CleanedText extends EditedJson {
  readonly removed: readonly RemovedPart[];
}

/** What a file says of itself. */
export interface OwnWords {
  /** Without a name there is none of these two. */
  readonly title?: string;
  /** As the tool names the file of this title when people download it. */
  readonly fileName?: string;
  readonly description: string;
}

/** What is known of the files of one automation tool. A file of it is JSON, and `value` is what reading it returns. */
export interface Platform {
  readonly id: PlatformName;
  readonly recognises: (value: unknown) => boolean;
  /** Cuts out what should not leave a company, and counts it. Cleaning what was cleaned changes nothing. */
  readonly clean: (text: string, value: unknown) => CleanedText;
  /** @param texts all texts of the value, one after the other */
  readonly factsOf: (value: unknown, texts: string) => Promise<FileFacts>;
  readonly describe: (value: unknown) => OwnWords;
  /** Returns a picture as SVG; undefined when there is nothing to draw. */
  readonly draw: (value: unknown) => string | undefined;
}

/** Returns a platform by what it does with values that it recognises. */
export function platformOf<Content>(
  id: PlatformName,
  recognises: (value: unknown) => value is Content,
  functions: {
    readonly clean: (text: string, content: Content) => CleanedText;
    readonly factsOf: (content: Content, texts: string) => Promise<FileFacts>;
    readonly describe: (content: Content) => OwnWords;
    readonly draw: (content: Content) => string | undefined;
  },
): Platform {
  return { id, recognises, ...(functions as Omit<Platform, 'id' | 'recognises'>) };
}

import type { FileName, PlatformName } from '../file.js';
import type { FileFacts, FileViolation, RemovedPart } from '../file-facts.js';

/** What was found in a file, and the content that may be stored. */
export interface FileInspection {
  /** The platform whose file it is. */
  readonly platform?: PlatformName;
  readonly content: Uint8Array;
  readonly removed: readonly RemovedPart[];
  /** With a platform alone. */
  readonly facts?: FileFacts;
  /** With one of these, the file must not be stored. */
  readonly violations: readonly FileViolation[];
}

/** Finds out what a file is and does, and takes out of it what should not leave a company. */
export interface FileInspector {
  /** The platforms that it recognises, in the order in which people choose from them. */
  readonly platforms: readonly PlatformName[];

  /**
   * Returns the platform of the content, whatever the name of a file of text. Does not read archives. Returns the
   * content of a file of no platform as it came. Of a file of a platform removes the parts that it counts in `removed`,
   * or leaves `{}` of them: what stays is equal as JSON, in the same order, and a file of which nothing is removed
   * stays byte for byte. Inspecting the content again removes nothing. Reports what looks like a secret in the content,
   * by place and kind and never by value. Facts show no secret. Of a file that is named `.json` or is of a platform
   * reports JSON of more than 200 levels or 20,000 values, numbers that reading would change, and names that stand
   * twice in an object. Reports text that is no UTF-8, and a file that is named `.json` and is none. Takes any bytes
   * without failing, and leaves them as they are. Texts in facts and places have at most 255 characters, details at
   * most 400, all of which can be stored. Other work goes on in between: 1 MiB may take some 0.2 s.
   */
  inspect(name: FileName, bytes: Uint8Array): Promise<FileInspection>;
}

import { Violations, type ReportViolation } from './errors.js';
import type { FileFacts, FileViolation } from './file-facts.js';
import { checkText, isBlank, type TextRule } from './text.js';

/** The name of a file, whose extension is one of `MEDIA_TYPES`. */
export type FileName = string & { readonly __brand: 'FileName' };

/** The platforms whose files are told from others. */
export const PLATFORMS = ['n8n'] as const;

/** The name of a platform. */
export type PlatformName = (typeof PLATFORMS)[number];

export const MAX_FILE_BYTES = 1_048_576;

const NAME: TextRule = { maxLength: 100, multiline: false };

const TEXT = 'text/plain';
const ZIP = 'application/zip';
const GZIP = 'application/gzip';

/**
 * The extensions that a file may have. They alone decide its media type, which is never one of a script, XML or HTML:
 * pages of the marketplace allow scripts of their origin.
 */
const MEDIA_TYPES = {
  json: 'application/json',
  yaml: TEXT,
  yml: TEXT,
  zip: ZIP,
  'tar.gz': GZIP,
  tgz: GZIP,
  xml: TEXT,
  txt: TEXT,
  md: TEXT,
  js: TEXT,
  ts: TEXT,
  py: TEXT,
  sh: TEXT,
  bpmn: TEXT,
  nupkg: ZIP,
} as const;

export type MediaType = (typeof MEDIA_TYPES)[keyof typeof MEDIA_TYPES];

/** The file of an automation, without its bytes. Its media type is that of its name (`mediaTypeOf`). */
export interface AutomationFile {
  readonly name: FileName;
  /** The number of bytes. */
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;
  /** The platform whose file it is. */
  readonly platform?: PlatformName;
  /** With a platform alone. */
  readonly facts?: FileFacts;
}

/** A file as a developer sends it. */
export interface FileDraft {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The file of a draft after its inspection, and why it must not be stored. */
export interface InspectedFile {
  readonly file: AutomationFile;
  readonly violations: readonly FileViolation[];
  /** For everyone, by an operator. */
  readonly isRefused?: boolean;
}

/** @throws DomainError `invalid` for a text that is no SHA-256 in hexadecimal. */
export function parseSha256(text: string): string {
  const violations = new Violations();
  if (!/^[\da-f]{64}$/.test(text)) violations.field('file')('invalid-format', 'must be a SHA-256 in hexadecimal');
  violations.throwIfAny('the file');
  return text;
}

/** Returns the name of a file, checked. @throws DomainError `invalid` with every broken rule. */
export function parseFileName(value: unknown): FileName {
  const violations = new Violations();
  const name = checkFileName(value, violations.field('file'));
  violations.throwIfAny('the file');
  return name;
}

export function checkFileName(value: unknown, report: ReportViolation): FileName {
  const name = checkText(value, NAME, report);
  if (name === '') return name as FileName;
  if (/^\.|[/\\]/.test(name)) report('invalid-format', 'must be a name without / and \\, and begin with no dot');
  else if (extensionOf(name) === undefined)
    report('unknown-value', `must end with one of .${Object.keys(MEDIA_TYPES).join(' .')}`);
  return name as FileName;
}

export function checkFileSize(bytes: number, report: ReportViolation): void {
  if (bytes >= 1 && bytes <= MAX_FILE_BYTES) return;
  report('out-of-range', `must have 1 to ${MAX_FILE_BYTES.toLocaleString('en-US')} bytes`);
}

/** Returns a file that may be inspected; undefined when it breaks a rule of its name or its size. */
export function checkFileDraft(value: unknown, report: ReportViolation = () => undefined) {
  let brokenRules = 0;
  const reportBroken: ReportViolation = (code, detail) => {
    brokenRules += 1;
    report(code, detail);
  };
  const { name, bytes } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (!(bytes instanceof Uint8Array)) {
    report('wrong-type', 'must be a file: a name, and its content in one form that can be read');
    return undefined;
  }
  checkFileSize(bytes.length, reportBroken);
  const checked = checkFileName(name, (code, detail) => reportBroken(code, `has a name that ${detail}`));
  return brokenRules > 0 ? undefined : { name: checked, bytes };
}

/**
 * Checks the file of a draft and returns it as it is stored. Without an inspection no file is taken.
 * `isFree` says whether the automation costs nothing.
 */
export function checkFile(
  value: unknown,
  inspected: InspectedFile | undefined,
  isFree: boolean,
  report: ReportViolation,
): AutomationFile | null {
  if (isBlank(value)) return null;
  if (inspected === undefined && checkFileDraft(value, report) !== undefined)
    report('unknown-value', 'must be missing, since this marketplace takes no files');
  for (const { code, detail } of inspected?.violations ?? [])
    report(code === 'contains-secret' || code === 'invalid-text' ? code : 'invalid-format', detail);
  if (inspected?.isRefused)
    report('refused-file', 'must be another one, since an operator has refused it for everyone');
  if (!isFree) report('not-free', NOT_FREE);
  return inspected?.file ?? null;
}

const NOT_FREE =
  'must be missing, since an automation with a price has no file here; give the address where it is sold';

/** Returns the media type under which a file is handed out. */
export function mediaTypeOf(name: FileName): MediaType {
  return MEDIA_TYPES[extensionOf(name) ?? 'txt'];
}

/** Returns whether files of this media type are text. */
export function isTextType(type: string): boolean {
  return type.startsWith('text/') || type.endsWith('json');
}

/** Finds the extension of a name, in any case. */
function extensionOf(name: string): keyof typeof MEDIA_TYPES | undefined {
  const lower = name.toLowerCase();
  return (Object.keys(MEDIA_TYPES) as (keyof typeof MEDIA_TYPES)[]).find((one) => lower.endsWith(`.${one}`));
}

import { Violations, type ReportViolation } from './errors.js';
import { checkText, type TextRule } from './text.js';

/** The name of a file, whose extension is one of `MEDIA_TYPES`. */
export type FileName = string & { readonly __brand: 'FileName' };

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

/** Returns the media type under which a file is handed out. */
export function mediaTypeOf(name: FileName): MediaType {
  return MEDIA_TYPES[extensionOf(name) ?? 'txt'];
}

/** Finds the extension of a name, in any case. */
function extensionOf(name: string): keyof typeof MEDIA_TYPES | undefined {
  const lower = name.toLowerCase();
  return (Object.keys(MEDIA_TYPES) as (keyof typeof MEDIA_TYPES)[]).find((one) => lower.endsWith(`.${one}`));
}

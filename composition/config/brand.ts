import { readFileSync } from 'node:fs';
import type { Logo } from '../../adapters/http/views/brand.js';
import { Violations } from '../../domain/errors.js';
import { checkText, type TextRule } from '../../domain/text.js';

const NAME: TextRule = { maxLength: 60, multiline: false };

const MAX_LOGO_BYTES = 100 * 1024;
const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** The element `svg` may follow a byte order mark, an XML declaration, comments and a document type. */
const SVG = /^\uFEFF?\s*(?:<\?xml[^>]*>\s*|<!--[^]*?-->\s*|<!DOCTYPE[^>]*>\s*)*<svg[\s>]/i;

/** @throws Error whose message goes on after the name of the variable. */
export function brandName(text: string): string {
  const violations = new Violations();
  const name = checkText(text, NAME, violations.field('name'));
  if (violations.fields.length === 0) return name;
  throw new Error(`must be a name of 1 to ${NAME.maxLength} characters, without control characters`);
}

/**
 * Reads the logo; undefined for an empty path.
 * @throws Error whose message goes on after the name of the variable.
 */
export function readLogo(path: string): Logo | undefined {
  if (path === '') return undefined;
  const body = read(path);
  if (body.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return { type: 'image/png', body };
  if (SVG.test(body.toString('utf8'))) return { type: 'image/svg+xml', body };
  throw new Error('must name an SVG or PNG file; this one is neither');
}

function read(path: string): Buffer {
  const body = contentOf(path);
  if (body.length > MAX_LOGO_BYTES) throw new Error(`must name a file of at most ${MAX_LOGO_BYTES / 1024} KiB`);
  return body;
}

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new Error('must name an SVG or PNG file that can be read');
  }
}

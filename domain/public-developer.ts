import type { DeveloperId } from './access.js';
import type { ReportViolation } from './errors.js';
import { checkText, type TextRule } from './text.js';
import { urlOf } from './url.js';

/** What developers say of themselves in public. */
export interface Profile {
  readonly publicName?: string;
  /** An address that begins with `https://`. */
  readonly website?: string;
}

/** A developer as everyone may see them. */
export interface PublicDeveloper {
  /** Also the name in addresses. */
  readonly id: DeveloperId;
  /** The public name. Without one, `@` and the id, which no public name looks like. */
  readonly name: string;
  readonly website?: string;
}

export const WEBSITE: TextRule = { maxLength: 500, multiline: false };
/** A host and no user, as browsers read addresses: they take `\` for `/` and ignore line breaks. */
const HTTPS_ADDRESS = /^https:\/\/[^\s\\/?#@]+(?:[/?#][^\s\\]*)?$/i;

export function checkWebsite(value: unknown, report: ReportViolation): string {
  const text = checkText(value, WEBSITE, report);
  if (text !== '' && !(HTTPS_ADDRESS.test(text) && urlOf(text)))
    report('invalid-format', 'must be an address that begins with https://');
  return text;
}

/** Returns how a developer is shown in public; the profile is undefined for one without an account. */
export function publicDeveloper(id: DeveloperId, profile: Profile | undefined): PublicDeveloper {
  const { publicName = `@${id}`, website } = profile ?? {};
  return { id, name: publicName, ...(website !== undefined && { website }) };
}

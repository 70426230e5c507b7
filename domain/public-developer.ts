import { isOfIssuer, type DeveloperId } from './access.js';
import type { ReportViolation } from './errors.js';
import { checkText, type TextRule } from './text.js';

/** What developers say of themselves in public. */
export interface Profile {
  readonly publicName?: string;
  /** An address that begins with `https://`. */
  readonly website?: string;
}

/** A developer as everyone may see them. */
export interface PublicDeveloper {
  /** The name in addresses: the developer's id, or for one of an issuer `token-` and 12 hexadecimal digits. */
  readonly slug: string;
  /** The public name. Without one, `@` and the slug, which no public name looks like; of an access token the slug. */
  readonly name: string;
  readonly website?: string;
}

const WEBSITE: TextRule = { maxLength: 500, multiline: false };
/** A host and no user, as browsers read addresses: they take `\` for `/` and ignore line breaks. */
const HTTPS_ADDRESS = /^https:\/\/[^\s\\/?#@]+(?:[/?#][^\s\\]*)?$/i;
const SLUG_DIGITS = 12;

export function checkWebsite(value: unknown, report: ReportViolation): string {
  const text = checkText(value, WEBSITE, report);
  if (text !== '' && !(HTTPS_ADDRESS.test(text) && URL.canParse(text)))
    report('invalid-format', 'must be an address that begins with https://');
  return text;
}

/**
 * Returns the name of a developer in addresses. The id of one who is known by an access token alone may be an e-mail
 * address, and is not shown.
 * @param sha256 returns the SHA-256 of a text in hexadecimal
 */
export function publicSlug(id: DeveloperId, sha256: (text: string) => string): string {
  return isOfIssuer(id) ? `token-${sha256(id).slice(0, SLUG_DIGITS)}` : id;
}

/** Returns how a developer is shown in public; the profile is undefined for one without an account. */
export function publicDeveloper(
  id: DeveloperId,
  profile: Profile | undefined,
  sha256: (text: string) => string,
): PublicDeveloper {
  const slug = publicSlug(id, sha256);
  const { publicName = isOfIssuer(id) ? slug : `@${slug}`, website } = profile ?? {};
  return { slug, name: publicName, ...(website !== undefined && { website }) };
}

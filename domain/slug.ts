/** Lower-case letters and digits, in words joined by single hyphens. */
export const SLUG_PATTERN = '^[a-z0-9]+(?:-[a-z0-9]+)*$';
export const SLUG_MAX_LENGTH = 64;
export const SLUG_RULE = 'must be 1 to 64 lower-case letters or digits, with single hyphens between them';

const SLUG = new RegExp(SLUG_PATTERN);

export function isSlug(text: string): boolean {
  return typeof text === 'string' && text.length <= SLUG_MAX_LENGTH && SLUG.test(text);
}

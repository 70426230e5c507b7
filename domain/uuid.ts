const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UUID_IN_ANY_CASE = new RegExp(UUID, 'i');

/** Returns whether the text is a UUID in lower case, as every id is stored and shown (RFC 9562). */
export function isUuid(text: string): boolean {
  return typeof text === 'string' && UUID.test(text);
}

/** Returns a UUID from outside in lower case: case does not count on input (RFC 9562). Undefined for any other text. */
export function uuidOf(text: string): string | undefined {
  return typeof text === 'string' && UUID_IN_ANY_CASE.test(text) ? text.toLowerCase() : undefined;
}

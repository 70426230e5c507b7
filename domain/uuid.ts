const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns whether the text is a UUID in lower case (RFC 9562). */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

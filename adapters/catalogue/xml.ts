export const XML_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n';

/**
 * Characters that XML 1.0 has no way to write (section 2.2): most control characters, lone surrogates and two
 * noncharacters.
 */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

/** Returns a text as XML writes it, in an element or in an attribute between double quotes. */
export function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, '\uFFFD').replace(/[&<>"\r]/g, (character) => ENTITIES[character] ?? '');
}

export function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

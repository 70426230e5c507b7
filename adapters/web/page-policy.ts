/** The hosts that a policy can name: no IPv6 address, and no character that would end the name (CSP 3, 2.3.1). */
const HOST = /^[a-z0-9.-]+$/;

/** The policy of the documentation, which has no forms. Swagger UI has pictures in its style. */
export const DOCUMENT_POLICY = policy("'self' data:", "'none'");

/** Returns the policy of a page. Where a form leads on to another site, browsers ask for that site as well. */
export function pagePolicy(formTarget?: string): string {
  return policy("'self'", formTarget === undefined ? "'self'" : `'self' ${sourceOf(formTarget)}`);
}

/** Allows nothing but the service's own files, no script in a page, no frame around it. */
function policy(images: string, forms: string): string {
  return (
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src ${images}; connect-src 'self'; ` +
    `form-action ${forms}; base-uri 'none'; frame-ancestors 'none'`
  );
}

/** Returns an address as a policy names it: by its origin, or where that cannot be named by its scheme. */
function sourceOf(address: string): string {
  const { protocol, hostname, origin } = new URL(address);
  const isNamed = (protocol === 'https:' || protocol === 'http:') && HOST.test(hostname);
  return isNamed ? origin : protocol;
}

/**
 * Returns an http or https URL, with a host and perhaps a port and a path, without the final slash; undefined for any
 * other text.
 */
export function parsePublicUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.search || url.hash || url.username || url.password) return undefined;
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

/** Returns the path of a public URL, which may be empty. */
export function publicPath(url: string): string {
  return url === '' ? '' : new URL(url).pathname.replace(/\/$/, '');
}

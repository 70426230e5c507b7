/** An http or https URL with a host, perhaps a port and a path, as it goes over the wire and without the slash at the end; undefined for any other text. */
export function readPublicUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) return undefined;
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

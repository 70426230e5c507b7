import { createRequire } from 'node:module';

/** Returns the version of this package. */
export function version(): string {
  const require = createRequire(import.meta.url);
  return (require('automation-marketplace/package.json') as { version: string }).version;
}

import { createRequire } from 'node:module';

/** Of this package, as its own `package.json` says. */
export function version(): string {
  const require = createRequire(import.meta.url);
  return (require('automation-marketplace/package.json') as { version: string }).version;
}

/** Compiles into `dist/`, from nothing, so that what was deleted from the sources does not live on there. */
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

rmSync('dist', { recursive: true, force: true });
execFileSync(process.execPath, [require.resolve('typescript/bin/tsc')], { stdio: 'inherit' });

const swagger = dirname(require.resolve('swagger-ui-dist/package.json'));
for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'LICENSE', 'NOTICE'])
  cpSync(join(swagger, name), join('dist/adapters/http/assets', name));

for (const folder of ['templates', 'assets']) cpSync(join('adapters/panel', folder), join('dist/adapters/panel', folder), { recursive: true });

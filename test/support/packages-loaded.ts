import { execFileSync } from 'node:child_process';

const HOOK = `
  import { writeSync } from 'node:fs';
  export async function resolve(specifier, context, next) {
    const resolved = await next(specifier, context);
    if (resolved.url.includes('/node_modules/')) writeSync(1, specifier + '\\n');
    return resolved;
  }`;

/** Which specifiers lead into node_modules when a module is imported in a process of its own. */
export function packagesLoadedBy(specifier: string): readonly string[] {
  const program = `
    import { register } from 'node:module';
    register('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(HOOK))});
    await import(${JSON.stringify(specifier)});`;
  const cwd = new URL('.', import.meta.url);
  const output = execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '--eval', program], {
    cwd,
    encoding: 'utf8',
  });
  return output.split('\n').filter((line) => line !== '');
}

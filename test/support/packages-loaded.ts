import { execFileSync } from 'node:child_process';

const HOOK = `
  import { writeSync } from 'node:fs';
  import { isBuiltin } from 'node:module';
  export async function resolve(specifier, context, next) {
    const resolved = await next(specifier, context);
    const from = (context.parentURL ?? '').replace(/\\/node_modules\\/automation-marketplace(-\\w+)*\\//, '/');
    const isOurs = !from.includes('/node_modules/') && /^(\\.|file:|automation-marketplace)/.test(specifier);
    if (!from.includes('/node_modules/') && !isOurs && !isBuiltin(specifier)) writeSync(1, specifier + '\\n');
    return resolved;
  }`;

/**
 * Which packages, of those that are not Node's, our modules import for this one, in a process of its own in this
 * folder: their names, in order.
 */
export function packagesLoadedBy(module: string, folder: string): readonly string[] {
  const program = `
    import { register } from 'node:module';
    register('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(HOOK))});
    await import(${JSON.stringify(module)});`;
  const output = execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '--eval', program], {
    cwd: folder,
    encoding: 'utf8',
  });
  const names = output.split('\n').map((specifier) => /^(@[^/]+\/)?[^/]*/.exec(specifier)?.[0] ?? '');
  return [...new Set(names.filter((name) => name !== ''))].sort();
}

/** Runs npm scripts at the same time. Ends with 1 if one of them fails. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const codes = await Promise.all(process.argv.slice(2).map(run));
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;

async function run(script) {
  const child = spawn('npm', ['run', '--silent', script], { stdio: 'inherit', shell: process.platform === 'win32' });
  const [code] = await once(child, 'close');
  if (code !== 0) console.error(`npm run ${script} failed`);
  return code;
}

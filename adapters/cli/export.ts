import { DONE, FAILED, isTaken, say, withSession, type Host, type Session } from './host.js';
import { OutputFile } from './output-file.js';
import { Progress } from './progress.js';

/** The lines of an export, some at a time. */
type LinesOf = (session: Session) => AsyncIterable<readonly string[]>;

/** Writes every line into a new file, or to standard output, and answers the exit code. */
export function exportLines(linesOf: LinesOf, path: string | undefined, host: Host): Promise<number> {
  return path === undefined || path === '-' ? toOutput(linesOf, host) : toFile(linesOf, path, host);
}

/** No faster than they are taken; when nobody takes them any longer it is over, and not done. */
function toOutput(linesOf: LinesOf, host: Host): Promise<number> {
  return withSession(host, async (session) => {
    for await (const lines of linesOf(session)) if (!(await isTaken(host.stdout, textOf(lines)))) return FAILED;
    return DONE;
  });
}

async function toFile(linesOf: LinesOf, path: string, host: Host): Promise<number> {
  const file = await OutputFile.create(path);
  const progress = new Progress(host.stderr, undefined);
  let count = 0;
  try {
    await withSession(host, async (session) => {
      for await (const lines of linesOf(session)) {
        await file.write(textOf(lines));
        progress.advance(0, (count += lines.length));
      }
    });
    await file.finish();
  } finally {
    await file.discard();
    progress.clear();
  }
  const seconds = progress.seconds();
  say(host.stdout, `${count} lines written; ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} lines/s`);
  return DONE;
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

import { say, withSession, writeAndConfirm, type Host, type Session } from '../session.js';
import { Progress } from '../terminal/progress.js';
import { counted } from '../terminal/words.js';
import { OutputFile } from './output-file.js';

type LinesOf = (session: Session) => AsyncIterable<readonly string[]>;

/** Writes every line to a new file, or to standard output without a path. */
export function exportLines(linesOf: LinesOf, path: string | undefined, host: Host): Promise<void> {
  return path === undefined || path === '-' ? toOutput(linesOf, host) : toFile(linesOf, path, host);
}

/** Waits until each batch is written. Ends when the reader has read enough, as `head` does. */
function toOutput(linesOf: LinesOf, host: Host): Promise<void> {
  return withSession(host, async (session) => {
    for await (const lines of linesOf(session)) if (!(await writeAndConfirm(host.stdout, textOf(lines)))) return;
  });
}

async function toFile(linesOf: LinesOf, path: string, host: Host): Promise<void> {
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
  const speed = `${seconds.toFixed(1)} s, ${Math.round(count / seconds)} lines/s`;
  say(host.stdout, `${counted(count, 'line')} written; ${speed}`);
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

import { openLog, type Log } from '../../composition/program/log.js';

export interface CapturedLog {
  readonly log: Log;
  /** The lines so far. */
  readonly lines: readonly string[];
}

/** Returns a log that keeps its lines. */
export function captureLog(secrets: readonly string[] = [], format: 'json' | 'pretty' = 'json'): CapturedLog {
  let text = '';
  const file = { write: (line: string) => (text += line), flush: async () => undefined };
  const log = openLog('info', secrets, file, format);
  return {
    log,
    get lines() {
      return text.split('\n').slice(0, -1);
    },
  };
}

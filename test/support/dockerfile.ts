export interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** The instructions of a Dockerfile, one a line. */
export function instructionsOf(text: string): readonly Instruction[] {
  return text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line))
    .map((line) => ({ name: line.slice(0, line.indexOf(' ')), rest: line.slice(line.indexOf(' ') + 1).trim() }));
}

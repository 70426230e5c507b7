import { readFileSync } from 'node:fs';

/** The folder of the package: two levels above the built file. */
export const ROOT = new URL('../../../', import.meta.url);

export interface Example {
  /** The heading under which it stands. */
  readonly heading: string;
  readonly language: string;
  readonly code: string;
}

/** Every fenced block of the README, with its heading. */
export function readmeExamples(): readonly Example[] {
  const examples: Example[] = [];
  let heading = '';
  const text = readFileSync(new URL('README.md', ROOT), 'utf8');
  for (const [, title, language, code] of text.matchAll(/^#+ ([^\n]+)$|^```(\w+)\n(.*?)^```$/gms)) {
    heading = title ?? heading;
    if (language !== undefined && code !== undefined) examples.push({ heading, language, code });
  }
  return examples;
}

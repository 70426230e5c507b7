import { COMPUTED_HOST, type Ability, type FileFacts } from '../../../domain/file-facts.js';
import { countText } from './locales.js';
import { FILE_TEXTS } from './texts.js';

/** One line about a file: what it is about, and what was found. */
export interface FactLine {
  readonly label: string;
  readonly texts: readonly string[];
  /** Whether it is something that does not work. */
  readonly isWarning?: boolean;
}

/** Of a longer list the first ones are shown. */
const MAX_SHOWN = 10;

/** Returns what people should know of a file before they run it. */
export function factLines(facts: FileFacts): readonly FactLine[] {
  const lines: readonly FactLine[] = [
    { label: FILE_TEXTS.needs, texts: shortened(facts.needs) },
    { label: FILE_TEXTS.hosts, texts: shortened(facts.hosts.map(hostText)) },
    {
      label: FILE_TEXTS.credentials,
      texts: shortened(facts.credentials.map(({ type, host }) => `${type} → ${hostText(host)}`)),
    },
    {
      label: FILE_TEXTS.abilities,
      texts: facts.abilities.map(({ kind, count }) => `${ABILITIES[kind]} (${countText(count)})`),
    },
    { label: FILE_TEXTS.communityPackages, texts: shortened(facts.communityPackages) },
    { label: FILE_TEXTS.broken, texts: brokenParts(facts), isWarning: true },
  ];
  return lines.filter(({ texts }) => texts.length > 0);
}

/** Returns details that may be private, and that the file keeps since it may need them. */
export function remainingLines({ remaining }: FileFacts): readonly FactLine[] {
  const lines = [
    { label: FILE_TEXTS.documents, texts: shortened(remaining.documents) },
    { label: FILE_TEXTS.ownHosts, texts: shortened(remaining.hosts) },
    { label: FILE_TEXTS.emails, texts: shortened(remaining.emails) },
  ];
  return lines.filter(({ texts }) => texts.length > 0).map((line) => ({ ...line, isWarning: true }));
}

const ABILITIES: Readonly<Record<Ability, string>> = {
  code: 'runs code',
  commands: 'runs commands',
  ssh: 'uses SSH',
  'file-access': 'reads or writes files',
  'sub-workflow': 'runs other workflows',
  'public-trigger': 'is started by requests from outside',
  environment: 'reads variables of the environment',
};

function brokenParts({ brokenConnections, unconnectedSteps }: FileFacts): readonly string[] {
  return [
    ...(brokenConnections > 0 ? [FILE_TEXTS.brokenConnections(countText(brokenConnections))] : []),
    ...(unconnectedSteps > 0 ? [FILE_TEXTS.unconnectedSteps(countText(unconnectedSteps))] : []),
  ];
}

function hostText(host: string): string {
  return host === COMPUTED_HOST ? FILE_TEXTS.computedHost : host;
}

function shortened(texts: readonly string[]): readonly string[] {
  const more = texts.length - MAX_SHOWN;
  return more > 0 ? [...texts.slice(0, MAX_SHOWN), FILE_TEXTS.more(countText(more))] : texts;
}

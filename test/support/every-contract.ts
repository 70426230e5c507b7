import type { Storage } from '../../application/index.js';
import * as exported from '../contracts/index.js';
import type { Fresh, Runner, StorageHandles } from '../contracts/index.js';

type PartSuites = Omit<typeof exported, 'apiKeyVerifierContract' | 'fileInspectorContract' | 'storageContract'>;
type SubjectOf<Suite> = Suite extends (fresh: Fresh<infer Subject>, runner?: Runner) => void ? Subject : never;

/** The one list of suites over a part of a storage, with that part. Without one of them it does not compile. */
const PARTS: { readonly [Name in keyof PartSuites]: (storage: Storage) => SubjectOf<PartSuites[Name]> } = {
  automationRepositoryContract: ({ automations }) => automations,
  automationArchiveContract: (storage) => storage,
  catalogueSearchContract: (storage) => storage,
  categoryRepositoryContract: ({ categories }) => categories,
  apiKeyRepositoryContract: (storage) => storage,
  developerRepositoryContract: (storage) => storage,
  sessionRepositoryContract: (storage) => storage,
  auditLogContract: ({ auditLog }) => auditLog,
  oauthRecordsContract: (storage) => storage,
  reportRepositoryContract: (storage) => storage,
};
const NAMES = Object.keys(PARTS) as (keyof PartSuites)[];

/** The suite that `npm test` runs on each database server. `npm run test:resilience` runs all others there. */
const SMOKE = 'automationArchiveContract';

export interface SubjectsOfContracts {
  readonly empty: Fresh<Storage>;
  /** Two handles on one store that is not prepared. */
  readonly unprepared: Fresh<StorageHandles>;
}

/** Declares the suite over this part of a storage, of the contracts of this build. */
export function partContract(
  name: keyof PartSuites,
  empty: Fresh<Storage>,
  runner?: Runner,
  contracts: PartSuites = exported,
): void {
  const suite = contracts[name] as (fresh: Fresh<unknown>, runner?: Runner) => void;
  suite(async (onEnd) => PARTS[name](await empty(onEnd)), runner);
}

/** Declares the suite over each part of a storage, but not the one over all of it. */
export function everyPartContract(empty: Fresh<Storage>): void {
  for (const name of NAMES) partContract(name, empty);
}

/** Declares every suite of a storage. */
export function everyContract(
  { empty, unprepared }: SubjectsOfContracts,
  runner?: Runner,
  contracts: typeof exported = exported,
): void {
  for (const name of NAMES) partContract(name, empty, runner, contracts);
  contracts.storageContract(unprepared, runner);
}

export function smokeContract({ empty }: SubjectsOfContracts): void {
  partContract(SMOKE, empty);
}

/** Declares every suite but the smoke suite. */
export function remainingContracts({ empty, unprepared }: SubjectsOfContracts): void {
  for (const name of NAMES) if (name !== SMOKE) partContract(name, empty);
  exported.storageContract(unprepared);
}

/** What is removed from a file before it is stored, since it should not leave a company. */
export type RemovedKind =
  /** The name and id of a credential; its type stays. */
  | 'credential'
  /** An id under which an installation receives requests. */
  | 'webhook-id'
  /** Sample data that was kept with a step. */
  | 'pinned-data'
  | 'installation-id'
  | 'document-name'
  | 'document-link'
  | 'other';

/** How many parts of a kind were removed. */
export interface RemovedPart {
  readonly kind: RemovedKind;
  /** At least 1. */
  readonly count: number;
}

/** What steps of a file can do where it is installed. */
export type Ability =
  | 'code'
  | 'commands'
  | 'ssh'
  | 'file-access'
  | 'sub-workflow'
  /** Is started by requests from outside, which may have to authenticate. */
  | 'public-trigger'
  /** Reads variables of the environment by a means of the platform; code may read them, too. */
  | 'environment';

/** An ability, and how many steps have it. */
export interface AbilityUse {
  readonly kind: Ability;
  /** At least 1. */
  readonly count: number;
}

/** A type of credential, and a host to which a step sends it. */
export interface CredentialUse {
  readonly type: string;
  readonly host: string;
}

/** Stands for a host that is only known when the automation runs. */
export const COMPUTED_HOST = 'computed';

/** What is read from a file, without running it. Texts are sorted and stand once in a list. */
export interface FileFacts {
  /** Names of the services that it works with, such as `Slack`. */
  readonly needs: readonly string[];
  /** The hosts that it calls; `COMPUTED_HOST` may be one of them. */
  readonly hosts: readonly string[];
  /** The types of credentials, each with each host that its step calls. */
  readonly credentials: readonly CredentialUse[];
  readonly abilities: readonly AbilityUse[];
  /** Packages that the platform does not bring, and that run with all its rights. */
  readonly communityPackages: readonly string[];
  /** How many connections lead from or to a step that is not there. */
  readonly brokenConnections: number;
  /** How many steps have no connection, although there are others. */
  readonly unconnectedSteps: number;
  /** What may be private and was not removed, since the automation may need it. */
  readonly remaining: RemainingDetails;
  /** Whether the lists have everything: each has at most 50 entries. */
  readonly isComplete: boolean;
}

/** Details that a seller should look at before they are published. */
export interface RemainingDetails {
  readonly documents: readonly string[];
  readonly hosts: readonly string[];
  readonly emails: readonly string[];
}

/** Why a file may not be stored. */
export type FileViolationCode =
  | 'contains-secret'
  /** A number that a program changes when it reads it. */
  | 'inexact-number'
  | 'duplicate-key'
  | 'too-deep'
  | 'too-many-values'
  /** Its name says that it is JSON. */
  | 'invalid-json'
  /** Its name says that it is a text, and it is no UTF-8. */
  | 'invalid-text';

/** A reason why a file may not be stored, and where it is. */
export interface FileViolation {
  readonly code: FileViolationCode;
  /** Where it is, for people. */
  readonly place: string;
  /** A sentence for people with the place, as the detail of a field has. Says of a secret what kind it seems to be. */
  readonly detail: string;
}

import type { UseCases } from '../../application/core.js';

/** The use cases that find automations, their files and the names of developers; `newCore` makes them. */
export type N8nLibraryCore = Pick<UseCases, 'catalogue' | 'profiles'>;

/** A key with other scopes than `library:read` that stands in a path, where many people can see it. */
export interface ExposedKey {
  readonly credentialId: string | undefined;
  readonly requestId: string;
}

import type { ServiceIdentifier } from 'inversify';
import type { Core } from '../../application/core.js';

/** The use cases as `newCore` makes them, before a host decorates one. */
export const NEW_CORE: ServiceIdentifier<Core> = Symbol('NewCore');

import type { ServiceIdentifier } from 'inversify';
import type { Core } from '../../application/core.js';
import type { Service } from './service.js';

/** The use cases as `newCore` makes them, before a host decorates one. */
export const NEW_CORE: ServiceIdentifier<Core> = Symbol('NewCore');
/** The service, from its start to its stop. */
export const SERVICE: ServiceIdentifier<Service> = Symbol('Service');

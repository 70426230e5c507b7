import type { ServiceIdentifier } from 'inversify';
import type { AuthorizationServer } from '../../adapters/authorization-server/index.js';
import type { Core } from '../../application/core.js';
import type { ApiKeyVerifier } from '../../domain/ports.js';
import type { Service } from './service.js';

/** The use cases as `newCore` makes them, before a host decorates one. */
export const NEW_CORE: ServiceIdentifier<Core> = Symbol('NewCore');
/** Finds for whom an agent acts. Its access tokens are not those of the API. */
export const AGENT_VERIFIER: ServiceIdentifier<ApiKeyVerifier> = Symbol('AgentVerifier');
/** The authorization server; undefined where it is off. */
export const AUTHORIZATION_SERVER: ServiceIdentifier<AuthorizationServer | undefined> = Symbol('AuthorizationServer');
/** The service, from its start to its stop. */
export const SERVICE: ServiceIdentifier<Service> = Symbol('Service');

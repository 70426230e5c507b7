import type { ServiceIdentifier } from 'inversify';
import type Koa from 'koa';
import type { Exchange } from '../adapters/http/exchange.js';
import type { DeveloperKeys } from '../application/developer-keys.js';
import type { Marketplace } from '../application/marketplace.js';
import type {
  ApiKeyRepository,
  ApiKeyVerifier,
  AutomationRepository,
  CategoryRepository,
} from '../domain/ports.js';

export const AUTOMATION_REPOSITORY: ServiceIdentifier<AutomationRepository> = Symbol('AutomationRepository');
export const CATEGORY_REPOSITORY: ServiceIdentifier<CategoryRepository> = Symbol('CategoryRepository');
export const API_KEY_REPOSITORY: ServiceIdentifier<ApiKeyRepository> = Symbol('ApiKeyRepository');
export const API_KEY_VERIFIER: ServiceIdentifier<ApiKeyVerifier> = Symbol('ApiKeyVerifier');
export const MARKETPLACE: ServiceIdentifier<Marketplace> = Symbol('Marketplace');
export const DEVELOPER_KEYS: ServiceIdentifier<DeveloperKeys> = Symbol('DeveloperKeys');
export const HTTP_APP: ServiceIdentifier<Koa<Exchange>> = Symbol('HttpApp');

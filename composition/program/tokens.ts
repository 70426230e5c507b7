import type { ServiceIdentifier } from 'inversify';
import type { Session } from '../../adapters/cli/index.js';

/** The parts that a command works with. */
export const COMMAND_SESSION: ServiceIdentifier<Session> = Symbol('CommandSession');

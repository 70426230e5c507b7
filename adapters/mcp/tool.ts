import type { UseCases } from '../../application/index.js';
import type { Caller } from '../../domain/access.js';
import type { Scope } from '../../domain/scope.js';
import type { FileAddress } from '../api/representations.js';
import type { Arguments, ObjectSchema } from './arguments.js';

/** One of the tools for agents. It has the names, the rules and the errors of the API. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scope: Scope;
  /** JSON Schemas of 2020-12, for the agent. The core judges what is sent. */
  readonly input: ObjectSchema;
  readonly output: {
    readonly type: 'object';
    readonly required?: readonly string[];
    readonly properties: Readonly<Record<string, object>>;
  };
  readonly run: (caller: Caller, sent: Arguments) => Promise<object>;
}

export interface ToolParts {
  readonly marketplace: UseCases['marketplace'];
  /** Whether automations can be found by words. */
  readonly search: boolean;
  /** Without it, files are handed out nowhere. */
  readonly addressOf?: FileAddress;
}

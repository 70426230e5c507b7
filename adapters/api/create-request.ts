import type { UseCases } from '../../application/core.js';
import type { Caller } from '../../domain/access.js';
import type { UncheckedDraft } from '../../domain/automation.js';
import type { FieldError } from '../../domain/errors.js';
import { fieldOnWire, NOT_VALID } from '../edge/middleware/problem-documents.js';
import { Problem, truncate, type ProblemField } from '../edge/problems/problem.js';
import { CREATE_MEMBERS, draftOf } from './representations.js';

const MAX_UNKNOWN = 20;

/**
 * Returns the draft in the body of a create. Its values are the core's to judge; only what the core cannot see, such as
 * an unknown member, is refused here, together with what the core says of the others. @throws Problem
 * `validation-error` with every broken rule.
 */
export async function parseCreateRequest(
  caller: Caller,
  body: unknown,
  marketplace: UseCases['marketplace'],
): Promise<UncheckedDraft> {
  if (!isObject(body)) throw invalid([{ pointer: '', code: 'wrong-type', detail: 'must be a JSON object' }]);
  const draft = draftOf(body);
  const unknown = Object.keys(body).filter((name) => !CREATE_MEMBERS.includes(name));
  if (unknown.length === 0) return draft;
  const broken: readonly FieldError[] = await marketplace.reviewAutomation(caller, draft);
  throw invalid([...broken.map(fieldOnWire), ...unknown.slice(0, MAX_UNKNOWN).map(unknownMember)]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unknownMember(name: string): ProblemField {
  return {
    pointer: `/${escaped(name)}`,
    code: 'unknown-member',
    detail: `is unknown; allowed are ${CREATE_MEMBERS.join(', ')}`,
  };
}

/** Returns a reference token of a JSON Pointer (RFC 6901). */
function escaped(member: string): string {
  return truncate(member).replaceAll('~', '~0').replaceAll('/', '~1');
}

function invalid(errors: readonly ProblemField[]): Problem {
  return new Problem('validation-error', NOT_VALID, { errors });
}

import type { Command } from './plans.js';

/** Members that the driver adds to every command. */
const OF_THE_DRIVER = new Set([
  'lsid',
  '$db',
  '$clusterTime',
  '$readPreference',
  'txnNumber',
  'readConcern',
  'writeConcern',
]);

/** Every operator, and every field or variable that an expression names, in the commands of the adapter. */
const OPERATORS = new Set([
  '$add',
  '$addToSet',
  '$and',
  '$concatArrays',
  '$cond',
  '$convert',
  '$count',
  '$currentDate',
  '$divide',
  '$eq',
  '$exists',
  '$filter',
  '$floor',
  '$group',
  '$gt',
  '$gte',
  '$ifNull',
  '$in',
  '$inc',
  '$isArray',
  '$isNumber',
  '$limit',
  '$literal',
  '$lt',
  '$lte',
  '$match',
  '$max',
  '$mergeObjects',
  '$min',
  '$ne',
  '$nor',
  '$not',
  '$or',
  '$project',
  '$regex',
  '$replaceWith',
  '$set',
  '$setOnInsert',
  '$skip',
  '$sort',
  '$sum',
  '$unionWith',
  '$unset',
]);
const EXPRESSIONS = new Set([
  '$_id',
  '$active_since',
  '$audit',
  '$category_id',
  '$consumed',
  '$expires_at',
  '$next',
  '$ends_at',
  '$revoked_at',
  '$seq',
  '$suspended_at',
  '$value',
  '$$REMOVE',
  '$$this._id',
  '$$this.id',
]);

/** Members of an automation that are null where it has none. */
const OPTIONAL = new Set(['url', 'license', 'file']);

/** Stages and updates whose texts are expressions, where a text that begins with `$` is a name and no value. */
const PIPELINES = new Set(['pipeline', 'u', 'update']);

/**
 * What must not be in a command: an operator that is not ours, a value that is none, or a text of a client's where it
 * would be an expression.
 */
export function strangeIn({ name, document }: Command): readonly string[] {
  const own = Object.entries(document).filter(([member]) => !OF_THE_DRIVER.has(member));
  return own.flatMap(([member, value]) => strange(value, [name, member], false));
}

function strange(value: unknown, path: readonly string[], expression: boolean): readonly string[] {
  const here = path.join('.');
  if (typeof value === 'string')
    return expression && value.startsWith('$') && !EXPRESSIONS.has(value) ? [`${here}: ${value}`] : [];
  if (typeof value === 'number' || typeof value === 'boolean' || isOfBson(value)) return [];
  if (value === null && OPTIONAL.has(path.at(-1) ?? '')) return [];
  if (typeof value !== 'object' || value === null) return [`${here} is ${String(value)}`];
  const isPipeline = Array.isArray(value) && PIPELINES.has(path.at(-1) ?? '');
  return Object.entries(value).flatMap(([member, inner]) => [
    ...(member.startsWith('$') && !OPERATORS.has(member) ? [`${here} has ${member}`] : []),
    ...strange(inner, [...path, member], (expression || isPipeline) && !isLiteral(member)),
  ]);
}

/** Where texts are values after all. */
function isLiteral(member: string): boolean {
  return member === '$literal' || member === '$match';
}

function isOfBson(value: unknown): boolean {
  if (value instanceof Date) return true;
  return (
    typeof value === 'object' &&
    value !== null &&
    '_bsontype' in value &&
    ['Binary', 'UUID', 'ObjectId', 'Long', 'Int32', 'Double'].includes(String(value._bsontype))
  );
}

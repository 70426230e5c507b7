import { errorsOf, faultsOf, headerOf, isObject, problemOf, slugOf, type Answer } from './answer.js';
import { filled, type Names, type Row } from './rows/row.js';

/** Returns what is wrong with the answer to a row, in words; nothing when it is the promised one. */
export function rowFaults(row: Row, answer: Answer, names: Names): readonly string[] {
  if (answer.status !== row.status) return [`the status is ${answer.status}, not ${row.status}`];
  return [...faultsOf(answer), ...headerFaults(row, answer, names), ...problemFaults(row, answer)];
}

function headerFaults({ answer: expected = {} }: Row, answer: Answer, names: Names): readonly string[] {
  return Object.entries(expected).flatMap(([name, value]) => {
    const [found, wanted] = [headerOf(answer, name), value === null ? null : filled(value, names)];
    return found === wanted ? [] : [`${name} is ${found ?? 'missing'}, not ${wanted ?? 'missing'}`];
  });
}

function problemFaults({ slug, fields, method }: Row, answer: Answer): readonly string[] {
  if (slug === undefined || method === 'HEAD' || !isObject(answer.body)) return [];
  const found = slugOf(answer);
  if (found !== slug) return [`the problem is ${found}, not ${slug}`];
  const named = fieldsOf(answer);
  const isSame = fields === undefined || (fields.length === named.length && fields.every((one) => named.includes(one)));
  return isSame ? [] : [`errors names ${JSON.stringify(named)}, not ${JSON.stringify(fields)}`];
}

/** Returns each pointer or parameter once, in the order in which it was first named. */
export function fieldsOf(answer: Answer): readonly string[] {
  return [...new Set(errorsOf(problemOf(answer)).map(({ pointer, parameter }) => pointer ?? parameter ?? '?'))];
}

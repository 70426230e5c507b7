import strict from 'node:assert/strict';

type Assertions = Pick<typeof strict, 'deepEqual' | 'equal' | 'fail' | 'match' | 'notEqual' | 'ok' | 'rejects'>;

/**
 * The strict assertions of Node. `deepEqual` compares copies, so that a `Date` or an array of another realm equals one
 * of ours: Jest runs each file in a realm of its own, and `structuredClone` of a storage does not return its values.
 */
const assert: Assertions = {
  ...strict,
  deepEqual: (actual, expected, message) =>
    strict.deepEqual(structuredClone(actual), structuredClone(expected), message),
};

export default assert;

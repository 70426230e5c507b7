const { availableParallelism } = require('node:os');

module.exports = {
  require: ['./dist/test/support/unhandled.js'],
  'node-option': ['enable-source-maps'],
  // A test that hangs fails. A test that is slow on a busy machine does not.
  timeout: 60_000,
  'forbid-only': true,
  parallel: true,
  // Tests wait for processes, timers and disks: two jobs more than processors keep these busy.
  jobs: Math.max(2, availableParallelism()) + 2,
  reporter: 'dot',
};

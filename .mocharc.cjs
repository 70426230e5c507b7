const { availableParallelism } = require('node:os');

module.exports = {
  require: ['./dist/test/support/unhandled.js'],
  'node-option': ['enable-source-maps'],
  // A test that hangs fails. A test that is slow on a busy machine does not.
  timeout: 120_000,
  'forbid-only': true,
  parallel: true,
  // Tests wait for processes, timers and disks: one job more than processors keeps these busy.
  jobs: Math.max(2, availableParallelism()) + 1,
  // Dots, and at the end in words what was not run.
  reporter: './dist/test/support/not-run.js',
};

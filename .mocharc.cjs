const { availableParallelism } = require('node:os');

module.exports = {
  require: ['./dist/test/support/unhandled.js'],
  'node-option': ['enable-source-maps'],
  timeout: 20_000,
  'forbid-only': true,
  parallel: true,
  // Tests wait for processes, timers and disks: one job more than processors keeps these busy.
  jobs: Math.max(2, availableParallelism()) + 1,
  reporter: 'dot',
};

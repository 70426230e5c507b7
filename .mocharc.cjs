const { availableParallelism } = require('node:os');

module.exports = {
  require: ['./dist/test/support/unhandled.js'],
  'node-option': ['enable-source-maps'],
  timeout: 20_000,
  'forbid-only': true,
  parallel: true,
  jobs: Math.max(2, availableParallelism()),
  reporter: 'dot',
};

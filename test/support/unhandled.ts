/**
 * Mocha lets a rejection pass that nobody handles; the service would end of it, and so fails the test that runs
 * meanwhile.
 */
process.on('unhandledRejection', (reason) => {
  throw reason;
});

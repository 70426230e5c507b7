import { command } from './command.js';

export const serve = command(
  { name: 'serve', summary: 'runs the service until it is stopped', arguments: [], options: {} },
  (_, host) => host.serve(),
);

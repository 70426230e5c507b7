/** The program from its modules. */
import { main } from '../../composition/main.js';

await main(process.argv.slice(2));

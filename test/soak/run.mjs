// `npm run soak`: HOLDFAST_SOAK_SECONDS (default 600) of it, with HOLDFAST_SEED to repeat one. Ends with 1 where something broke.
import { importBundled } from '../support/run-bundled.mjs';

const { main } = await importBundled('test/soak/command.ts', 'soak');
process.exit(await main());

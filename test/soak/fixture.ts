import path from 'node:path';
import { ROOT } from '../support/holdfast.ts';

/** The project's own server, whose faults are switched from outside. */
export const FIXTURE = path.join(ROOT, 'test/fixtures/upstream.mjs');

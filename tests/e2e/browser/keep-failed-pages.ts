import { afterEach } from 'vitest';
import { keepOpenPages } from './browser.ts';

// A test that fails only now and then on a busy machine cannot be looked at later.
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepOpenPages(task.name);
});

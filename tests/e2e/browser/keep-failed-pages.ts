import { afterEach } from 'vitest';
import { keepOpenPages } from './browser.ts';

// A test that fails only now and then on a busy machine cannot be looked at later.
afterEach(async ({ task }) => {
  // A page that is closed or does not answer must not hide why the test failed.
  if (task.result?.state === 'fail') await keepOpenPages(task.name).catch(() => undefined);
});

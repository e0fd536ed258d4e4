import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// One second is too short while other files, the build and the checks share the cores.
configure({ asyncUtilTimeout: 20_000 });

// Files share one page: what a test leaves on it would be found by the next file.
afterEach(cleanup);

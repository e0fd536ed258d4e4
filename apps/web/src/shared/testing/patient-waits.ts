import { configure } from '@testing-library/react';

// One second is too short while other files, the build and the checks share the cores.
configure({ asyncUtilTimeout: 20_000 });

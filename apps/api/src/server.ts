import { enableCompileCache } from 'node:module';

// Before anything large is loaded, so that the second start finds it compiled.
enableCompileCache();
const { runServer } = await import('./process/run-server.ts');
await runServer(() => import('./app.ts'));

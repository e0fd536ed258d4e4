import { enableCompileCache, flushCompileCache } from 'node:module';

// Before anything large is loaded, so that the second start finds it compiled.
enableCompileCache();
const { runServer } = await import('./process/run-server.ts');
await runServer(() => import('./app.ts'));
// Not only when it ends: one that is killed would leave the next start to compile everything again.
flushCompileCache();

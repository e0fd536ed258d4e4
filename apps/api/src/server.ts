import { enableCompileCache, flushCompileCache } from 'node:module';

// Before the large imports, so that the second start finds them compiled.
enableCompileCache();
const { runServer } = await import('./process/run-server.ts');
await runServer(() => import('./app.ts'));
// Not only at exit: a killed process would leave the next start to compile everything again.
flushCompileCache();

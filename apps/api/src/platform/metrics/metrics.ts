import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const seconds = {
  fast: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
  request: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
  model: [0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160],
  run: [1, 2.5, 5, 10, 20, 40, 80, 120, 300],
};

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * The metrics of this process. Labels are routes, models, states and the like: never an id or a name of a user, an
 * organization or a document.
 */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  // The default of 10 ms takes half a percent of a core, which is more than all other work of an idle server.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 });
  return {
    registry,
    httpDuration: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Duration of HTTP requests by route. A stream counts until its end.',
      labelNames: ['method', 'route', 'status'],
      buckets: seconds.request,
      registers,
    }),
    modelCallDuration: new Histogram({
      name: 'docwright_model_call_duration_seconds',
      help: 'Duration of model calls, by model and outcome (answered, failed, stopped).',
      labelNames: ['model', 'outcome'],
      buckets: seconds.model,
      registers,
    }),
    modelFirstChunk: new Histogram({
      name: 'docwright_model_first_chunk_seconds',
      help: 'Time to the first chunk of a model call, by model.',
      labelNames: ['model'],
      buckets: seconds.model,
      registers,
    }),
    modelTokens: new Counter({
      name: 'docwright_model_tokens_total',
      help: 'Tokens of answered model calls, by model and kind (prompt, completion).',
      labelNames: ['model', 'kind'],
      registers,
    }),
    modelErrors: new Counter({
      name: 'docwright_model_errors_total',
      help: 'Model calls that failed, by model and error code.',
      labelNames: ['model', 'code'],
      registers,
    }),
    documentRuns: new Histogram({
      name: 'docwright_document_run_duration_seconds',
      help: 'Duration of headless runs on one document, from the last start to the end, by kind and outcome.',
      labelNames: ['kind', 'outcome'],
      buckets: seconds.run,
      registers,
    }),
    runs: new Counter({
      name: 'docwright_runs_total',
      help: 'Runs over documents that ended in this process, by action and state.',
      labelNames: ['action', 'state'],
      registers,
    }),
    ocrPages: new Histogram({
      name: 'docwright_ocr_page_duration_seconds',
      help: 'Duration of recognising a page, by outcome (read, failed, stopped).',
      labelNames: ['outcome'],
      buckets: seconds.model,
      registers,
    }),
    databaseDuration: new Histogram({
      name: 'docwright_database_command_duration_seconds',
      help: 'Database commands, by command and outcome (ok, failed).',
      labelNames: ['command', 'outcome'],
      buckets: seconds.fast,
      registers,
    }),
    /** Registers a gauge that `collect` fills at each scrape. */
    gauge<Label extends string>(
      name: string,
      help: string,
      labelNames: Label[],
      collect: (gauge: Gauge<Label>) => void | Promise<void>,
    ): void {
      const gauge: Gauge<Label> = new Gauge({ name, help, labelNames, registers, collect: () => collect(gauge) });
    },
  };
}

import { propagation, trace } from '@opentelemetry/api';

/** Where spans go, and which process they are of. */
interface TracingOptions {
  /** The address of an OTLP receiver, without a path; spans go to `/v1/traces` there. */
  endpoint: string;
  role: string;
}

/**
 * Sends spans to an OTLP receiver over HTTP. The libraries are loaded here alone: a process without a receiver has only
 * OpenTelemetry's interface, which does nothing. Headers and limits are set as the environment says (`OTEL_*`).
 *
 * @returns what sends the last spans and ends it
 */
export async function startTracing({ endpoint, role }: TracingOptions): Promise<() => Promise<void>> {
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const url = `${endpoint.replace(/\/+$/u, '')}/v1/traces`;
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'docwright', 'docwright.role': role }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
  });
  provider.register();
  return async () => {
    await provider.shutdown().catch(() => undefined);
    trace.disable();
    propagation.disable();
  };
}

import {
  context,
  propagation,
  SpanStatusCode,
  trace,
  type AttributeValue,
  type Context,
  type Span,
  type SpanOptions,
} from '@opentelemetry/api';

/** A step of work as a span of OpenTelemetry. Names and attributes hold no text of documents, prompts or answers. */
export interface TracedStep extends Pick<SpanOptions, 'kind' | 'root' | 'startTime'> {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, AttributeValue>>;
}

/**
 * Runs work as a span of the trace that is open. The span has the code of an error, never its message, which can quote a
 * document. Without an exporter it only runs the work.
 *
 * @example
 * import { traced } from '@docwright/agent-core';
 *
 * await traced({ name: 'document.read', attributes: { 'docwright.pages': 3 } }, async () => 'read');
 */
export async function traced<Result>(step: TracedStep, work: (span: Span) => Promise<Result>): Promise<Result> {
  const span = startSpan(step);
  if (!span.isRecording()) return await work(span);
  return await context.with(trace.setSpan(context.active(), span), async () => {
    try {
      return await work(span);
    } catch (error) {
      noteFailure(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/**
 * The same for work that yields events. `note` sees what it returns.
 *
 * @example
 * import { tracedEvents } from '@docwright/agent-core';
 *
 * async function* numbers() {
 *   yield 1;
 *   return 'done';
 * }
 * for await (const number of tracedEvents({ name: 'count' }, numbers)) console.log(number);
 */
export function tracedEvents<Event, Result>(
  step: TracedStep,
  work: () => AsyncGenerator<Event, Result>,
  note?: (span: Span, result: Result) => void,
): AsyncGenerator<Event, Result> {
  const span = startSpan(step);
  return span.isRecording() ? follow(span, trace.setSpan(context.active(), span), work, note) : work();
}

async function* follow<Event, Result>(
  span: Span,
  inside: Context,
  work: () => AsyncGenerator<Event, Result>,
  note?: (span: Span, result: Result) => void,
): AsyncGenerator<Event, Result> {
  const events = context.with(inside, work);
  let isOver = false;
  try {
    for (;;) {
      const step = await context.with(inside, () => events.next());
      isOver = step.done === true;
      if (step.done === true) {
        note?.(span, step.value);
        return step.value;
      }
      yield step.value;
    }
  } catch (error) {
    isOver = true;
    noteFailure(span, error);
    throw error;
  } finally {
    // The reader has left.
    if (!isOver) await context.with(inside, () => events.return(undefined as Result));
    span.end();
  }
}

/**
 * A span that ended at the time, by default now: for what is known only when it is over, such as a wait.
 *
 * @example
 * import { traceEnded } from '@docwright/agent-core';
 *
 * traceEnded({ name: 'approval.wait', startTime: new Date(Date.now() - 60_000) });
 */
export function traceEnded(step: TracedStep, endTime?: Date): void {
  startSpan(step).end(endTime);
}

/**
 * The headers that name the open trace (`traceparent`) for another server. None without an exporter.
 *
 * @example
 * import { traceHeaders } from '@docwright/agent-core';
 *
 * await fetch('https://models.example', { headers: traceHeaders() });
 */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}

/**
 * Runs work in the trace that a sender names, by its headers or the `_meta` of a request.
 *
 * @example
 * import { inTraceOf } from '@docwright/agent-core';
 *
 * inTraceOf({ traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }, () => 'answered');
 */
export function inTraceOf<Result>(sent: Readonly<Record<string, unknown>>, work: () => Result): Result {
  return context.with(propagation.extract(context.active(), sent), work);
}

/** Whether work is traced here, so that what only a span needs is read. */
export const isTraced = (): boolean => trace.getActiveSpan()?.isRecording() === true;

/** A span that does nothing until a process has registered an exporter. Asked for each time: it can be registered later, by another copy of the library. */
function startSpan({ name, attributes = {}, ...options }: TracedStep): Span {
  return trace.getTracer('docwright').startSpan(name, { ...options, attributes });
}

function noteFailure(span: Span, error: unknown): void {
  const { code } = error as { code?: unknown };
  const type = typeof code === 'string' && /^\w{1,50}$/u.test(code) ? code : 'error';
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

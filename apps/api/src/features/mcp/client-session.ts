import { randomUUID } from 'node:crypto';
import { z } from 'zod';

/** The introduction of a client with a protocol revision before 2026-07-28. */
export interface ClientSession {
  protocolVersion: string;
  /** Its own name. */
  name: string;
  /** Whether it can ask its user during a call. */
  elicits: boolean;
}

const stored = z.object({
  v: z.string().max(20),
  n: z.string().max(100),
  e: z.boolean(),
  r: z.string().max(40).optional(),
});

/**
 * Encodes a session as its own id, which the client sends with every request to any process. It is no credential (every
 * request signs in by itself) and contains only what the client said itself.
 */
export function sessionIdOf({ protocolVersion, name, elicits }: ClientSession): string {
  // Two connections of one client need different ids, or one could cancel the other's calls.
  const session: z.infer<typeof stored> = { v: protocolVersion.slice(0, 20), n: name, e: elicits, r: randomUUID() };
  return Buffer.from(JSON.stringify(session)).toString('base64url');
}

/** Undefined for a missing or foreign id. */
export function readSessionId(id: string | undefined): ClientSession | undefined {
  if (id === undefined || id.length > 500) return undefined;
  try {
    const { v, n, e } = stored.parse(JSON.parse(Buffer.from(id, 'base64url').toString()));
    return { protocolVersion: v, name: presentableName(n), elicits: e };
  } catch {
    return undefined;
  }
}

const asked = z.object({
  method: z.literal('initialize'),
  params: z.object({
    protocolVersion: z.string(),
    capabilities: z.unknown(),
    clientInfo: z.unknown(),
  }),
});

/** The session of an `initialize` request; undefined for other messages. */
export function sessionFrom(message: unknown): ClientSession | undefined {
  const { data } = asked.safeParse(message);
  if (!data) return undefined;
  const { protocolVersion, capabilities, clientInfo } = data.params;
  return { protocolVersion, name: clientName(clientInfo), elicits: canElicit(capabilities) };
}

/** Whether a client shows forms to its user; `{}` means so too: earlier revisions know no modes. */
export function canElicit(capabilities: unknown): boolean {
  const { data } = eliciting.safeParse(capabilities);
  return data !== undefined && ('form' in data.elicitation || !('url' in data.elicitation));
}

const eliciting = z.object({ elicitation: z.record(z.string(), z.unknown()) });

export function clientName(info: unknown): string {
  const { name, title } = named.safeParse(info).data ?? {};
  return presentableName(title?.trim() || (name ?? ''));
}

const named = z.object({ name: z.string().optional(), title: z.string().optional() });

/** Clients choose their names: only one short line of plain characters is shown. */
function presentableName(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{N} ._-]/gu, '').trim();
  return plain.slice(0, 40).trim() || 'an MCP client';
}

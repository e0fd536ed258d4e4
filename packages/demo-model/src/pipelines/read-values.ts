import { z } from 'zod';

const objects = z.array(z.record(z.string(), z.unknown()));

/** The objects of a list that a tool gave; none where it is no such list. */
export function listOf(value: unknown): Record<string, unknown>[] {
  return objects.safeParse(value).data ?? [];
}

/** What a tool gave as text; empty where it is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

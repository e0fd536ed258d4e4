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

export function listOfTexts(value: unknown): string[] {
  return z.array(z.string()).safeParse(value).data ?? [];
}

/** The object that a text is in JSON; an empty one where it is none. */
export function objectOf(text: string | undefined): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).safeParse(JSON.parse(text ?? '')).data ?? {};
  } catch {
    return {};
  }
}

import { z } from 'zod';

const objects = z.array(z.record(z.string(), z.unknown()));

/** The objects of a list from a tool; none for any other value. */
export function listOf(value: unknown): Record<string, unknown>[] {
  return objects.safeParse(value).data ?? [];
}

/** A text from a tool; empty for any other value. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function listOfTexts(value: unknown): string[] {
  return z.array(z.string()).safeParse(value).data ?? [];
}

/** The object in a JSON text; an empty one for any other text. */
export function objectOf(text: string | undefined): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).safeParse(JSON.parse(text ?? '')).data ?? {};
  } catch {
    return {};
  }
}

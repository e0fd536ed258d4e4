import { z } from 'zod';

const objects = z.array(z.record(z.string(), z.unknown()));

/** The objects of a list in a tool's result; empty for any other value. */
export function listOf(value: unknown): Record<string, unknown>[] {
  return objects.safeParse(value).data ?? [];
}

/** A text in a tool's result; empty for any other value. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function listOfTexts(value: unknown): string[] {
  return z.array(z.string()).safeParse(value).data ?? [];
}

/** The object in a JSON text; empty for any other text. */
export function objectOf(text: string | undefined): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).safeParse(JSON.parse(text ?? '')).data ?? {};
  } catch {
    return {};
  }
}

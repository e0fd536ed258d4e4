import { readFile } from 'node:fs/promises';
import type { CommandContext } from '../../context/context.ts';
import { UsageError } from '../../context/exit-codes.ts';

/** The JSON of a file, or of standard input for `-`. */
export async function readJsonFile({ asker }: CommandContext, file: string): Promise<unknown> {
  const text = file === '-' ? await asker.read() : await readText(file);
  const { parseJsonWithDigits } = await import('@docwright/contract');
  try {
    return parseJsonWithDigits(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${file === '-' ? 'The standard input' : file} is not JSON: ${reason}`);
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

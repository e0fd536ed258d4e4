import { access, constants, mkdir } from 'node:fs/promises';
import { StartError } from './start-error.ts';

/** Makes DATA_DIR when it is not there; nobody else on the machine may look into it. */
export async function prepareDataDirectory(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `DATA_DIR ${dataDir} cannot be written (${code}): give this user write access or set DATA_DIR to another folder.`,
    );
  }
}

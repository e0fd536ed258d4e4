import path from 'node:path';
import type { Command } from 'commander';
import { action, type Host } from '../action.ts';
import type { CommandContext } from '../context.ts';
import { installModels } from '../ocr-models/install-models.ts';
import { printableLine } from '../terminal-text.ts';

interface InstallOptions {
  from?: string;
  into?: string;
}

export function addOcrModelsCommand(program: Command, host: Host): void {
  const models = program
    .command('ocr-models')
    .summary('models that read scans better')
    .description('A second engine of recognition, PP-OCR, for the machine this command runs on. It needs no server.');
  models
    .command('install')
    .summary('bring the models and check them')
    .description(
      'Fetches the models and the runtime, goes on where an earlier attempt broke off, checks every file by its checksum, and says sizes and licences. The server uses them from its next start on (OCR_ENGINE).',
    )
    .option('--from <file or folder>', 'take them from here and not from the network')
    .option('--into <folder>', 'where to (OCR_MODELS, or ocr-models in DATA_DIR)')
    .action(action<[], InstallOptions>(host, install));
}

async function install(context: CommandContext, _: [], { from, into }: InstallOptions): Promise<void> {
  const { env, output, signal } = context;
  const folder = path.resolve(into ?? (env['OCR_MODELS'] || path.join(env['DATA_DIR'] || '.data', 'ocr-models')));
  const { changed } = await installModels({
    folder,
    from: from === undefined ? undefined : path.resolve(from),
    env,
    signal,
    note: (line) => output.note(printableLine(line)),
    progress: (line) => {
      if (output.isLive) output.whisper(`\r${line}`);
    },
  });
  output.data({ folder, changed });
  output.print(
    changed ? `Installed in ${printableLine(folder)}.` : `Everything is in ${printableLine(folder)} already.`,
  );
}

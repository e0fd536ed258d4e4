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
    .description('A second text recognition engine, PP-OCR, for this machine. Needs no server.');
  models
    .command('install')
    .summary('install the models and check them')
    .description(
      'Fetches the models and the runtime, resumes an interrupted download, checks every file by its checksum, and prints sizes and licences. The server uses them from its next start on (OCR_ENGINE).',
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

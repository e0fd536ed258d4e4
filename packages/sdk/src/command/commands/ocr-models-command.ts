import path from 'node:path';
import type { Command } from 'commander';
import { action, type Host } from '../context/action.ts';
import type { CommandContext } from '../context/context.ts';
import { installModels } from '../ocr-models/install-models.ts';
import { printableLine } from '../terminal/terminal-text.ts';

interface InstallOptions {
  from?: string;
  into?: string;
}

export function addOcrModelsCommand(program: Command, host: Host): void {
  const models = program
    .command('ocr-models')
    .summary('models for better text recognition of scans')
    .description('Manages the models of PP-OCR, a second text recognition engine, on this machine. Needs no server.');
  models
    .command('install')
    .summary('install and verify the models')
    .description(
      'Downloads the models and the runtime, resumes an interrupted download, verifies every checksum, and prints sizes and licences. The server uses the models after its next start (OCR_ENGINE).',
    )
    .option('--from <file or folder>', 'copy the models from here instead of downloading them')
    .option('--into <folder>', 'the target folder (OCR_MODELS, or ocr-models in DATA_DIR)')
    .action(action<[], InstallOptions>(host, install));
}

async function install(context: CommandContext, _: [], { from, into }: InstallOptions): Promise<void> {
  const { env, output, signal } = context;
  const folder = path.resolve(into ?? (env['OCR_MODELS'] || path.join(env['DATA_DIR'] || '.data', 'ocr-models')));
  let last = 0;
  const { changed } = await installModels({
    folder,
    from: from === undefined ? undefined : path.resolve(from),
    env,
    signal,
    note: (line) => output.note(printableLine(line)),
    progress(name, done, total) {
      if (done < last) last = 0;
      const megabytes = `${name}: ${(done / 1e6).toFixed(1)} of ${(total / 1e6).toFixed(1)} MB`;
      if (output.isLive) output.whisper(`\r${megabytes}`);
      // In a log, a line for each tenth.
      else if (Math.floor((10 * done) / total) > Math.floor((10 * last) / total)) output.note(megabytes);
      last = done;
    },
  });
  output.data({ folder, changed });
  output.print(
    changed
      ? `Installed in ${printableLine(folder)}.`
      : `All models are already installed in ${printableLine(folder)}.`,
  );
}

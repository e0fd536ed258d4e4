import { Command, type OutputConfiguration } from 'commander';
import { addAutoCreateCommands } from './commands/unattended/auto-create-commands.ts';
import { addAskCommand } from './commands/ask-command.ts';
import { addBulkCommands } from './commands/unattended/bulk-commands.ts';
import { addChatCommands } from './commands/chat-commands.ts';
import { addCollectionCommands } from './commands/collection-commands.ts';
import { addDeliveryCommands } from './commands/delivery-commands.ts';
import { addDocumentCommands } from './commands/document-commands.ts';
import { addEvaluationCommands } from './commands/evaluation-commands.ts';
import { addExtractionCommand } from './commands/extraction-command.ts';
import { addInboxCommands } from './commands/inbox-command.ts';
import { addMcpCommand } from './commands/mcp-command.ts';
import { addOcrModelsCommand } from './commands/ocr-models-command.ts';
import { addProposalCommands } from './commands/unattended/proposal-commands.ts';
import { addReleaseCommands } from './commands/release-command.ts';
import { addReviewCommands } from './commands/review-command.ts';
import { addRunCommands } from './commands/unattended/run-commands.ts';
import { addScheduleCommands } from './commands/unattended/schedule-commands.ts';
import { addSearchCommand } from './commands/search-command.ts';
import { addSetupCommand } from './commands/setup-command.ts';
import { addSignInCommands } from './commands/sign-in-commands.ts';
import { addRouteCommands } from './commands/route-commands.ts';
import { addSourceCommands } from './commands/source-commands.ts';
import { addSplitCommand } from './commands/split-command.ts';
import { addUsageCommands } from './commands/organization/usage-command.ts';
import { addUploadCommand } from './commands/upload-command.ts';
import type { Host } from './context/action.ts';
import { exitCodeHelp } from './context/exit-codes.ts';

const settings = `Settings:
  DOCWRIGHT_URL, DOCWRIGHT_TOKEN, DOCWRIGHT_ORG   override the stored sign-in
  NO_COLOR                                        no colours`;

/** All commands. `host` creates their context; help and usage errors go to `output`. */
export function createProgram(host: Host, version: string, output: OutputConfiguration = {}): Command {
  const program = new Command('docwright')
    .description('Docwright from a shell, against a running server.')
    .version(version)
    .configureOutput(output)
    .option('--json', 'print one JSON document on standard output, and messages on standard error')
    .option('--url <url>', 'address of the server')
    .option('--org <organization>', 'the organization, by id or name')
    .option('--debug', 'show the details and the stack of an error')
    .option('--no-color', 'no colours')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('See --help.')
    .exitOverride();
  addSignInCommands(program, host);
  addUploadCommand(program, host);
  addDocumentCommands(program, host);
  addSplitCommand(program, host);
  addBulkCommands(program, host);
  addChatCommands(program, host);
  addExtractionCommand(program, host);
  addEvaluationCommands(program, host);
  addAutoCreateCommands(program, host);
  addProposalCommands(program, host);
  addInboxCommands(program, host);
  addReleaseCommands(program, host);
  addReviewCommands(program, host);
  addDeliveryCommands(program, host);
  addRunCommands(program, host);
  addScheduleCommands(program, host);
  addRouteCommands(program, host);
  addSourceCommands(program, host);
  addUsageCommands(program, host);
  addSetupCommand(program, host);
  addCollectionCommands(program, host);
  addSearchCommand(program, host);
  addAskCommand(program, host);
  addMcpCommand(program, host);
  addOcrModelsCommand(program, host);
  return program.addHelpText('after', `\n${settings}\n\n${exitCodeHelp}`);
}

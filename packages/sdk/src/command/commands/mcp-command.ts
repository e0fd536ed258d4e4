import type { Command } from 'commander';
import { action, type Host } from '../context/action.ts';
import { loginOf, type CommandContext } from '../context/context.ts';

export function addMcpCommand(program: Command, host: Host): void {
  program
    .command('mcp')
    .summary('the tools for Claude Code, Cursor and other clients of the Model Context Protocol')
    .description(
      'Speaks the Model Context Protocol on standard input and output, with the stored sign-in, for a client that starts it. Standard output contains only the protocol.',
    )
    .option('--print-config', 'print the configuration for a client, as JSON')
    .action(action<[], { printConfig?: true }>(host, serveMcp));
}

async function serveMcp(context: CommandContext, _: [], { printConfig }: { printConfig?: true }): Promise<void> {
  const login = await loginOf(context);
  if (printConfig === true) {
    printClientConfig(context, login.baseUrl);
    return;
  }
  if (context.asker.isTerminal) {
    context.output.note(
      'An MCP client starts this command. Print its configuration with: docwright mcp --print-config',
    );
  }
  // Loaded on use: no other command needs it.
  const { runBridge } = await import('../mcp/bridge.ts');
  const interrupted = new AbortController();
  const stopListening = context.onInterrupt(() => interrupted.abort());
  try {
    await runBridge(login, process, interrupted.signal);
  } finally {
    stopListening();
  }
}

/**
 * Uses full paths, because a desktop client is often started without the shell's PATH. Contains no token: the sign-in
 * is stored.
 */
function printClientConfig({ env, global, output }: CommandContext, baseUrl: string): void {
  const named = [
    ...(global.url === undefined && !env['DOCWRIGHT_URL'] ? [] : ['--url', baseUrl]),
    ...(global.org === undefined ? [] : ['--org', global.org]),
  ];
  const script = process.argv[1] ?? 'docwright';
  const config = { mcpServers: { docwright: { command: process.execPath, args: [script, 'mcp', ...named] } } };
  output.data(config);
  output.print(JSON.stringify(config, null, 2));
  output.note(
    'For Claude Code, save it as .mcp.json in the project. For Cursor, save it as .cursor/mcp.json, or as ~/.cursor/mcp.json for all projects.',
  );
  output.note(`Other clients connect to ${baseUrl}/mcp with the header Authorization: Bearer <access token>.`);
  if (env['DOCWRIGHT_TOKEN'])
    output.note(
      'The configuration does not contain DOCWRIGHT_TOKEN. Sign in with docwright login, or set the variable in the client.',
    );
}

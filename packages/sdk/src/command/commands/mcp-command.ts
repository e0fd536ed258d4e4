import type { Command } from 'commander';
import { action, type Host } from '../action.ts';
import { loginOf, type CommandContext } from '../context.ts';

export function addMcpCommand(program: Command, host: Host): void {
  program
    .command('mcp')
    .summary('the tools for Claude Code, Cursor and other clients of the Model Context Protocol')
    .description(
      'Speaks the Model Context Protocol on standard input and output, with the stored sign-in, for a client that starts it. Standard output contains only the protocol.',
    )
    .option('--print-config', 'print what a client has to be told, as JSON')
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
  const forget = context.onInterrupt(() => interrupted.abort());
  try {
    await runBridge(login, process, interrupted.signal);
  } finally {
    forget();
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
    'Claude Code: into .mcp.json of the project. Cursor: into .cursor/mcp.json, or ~/.cursor/mcp.json for all.',
  );
  output.note(`Without this command: ${baseUrl}/mcp with the header Authorization: Bearer <access token>.`);
  if (env['DOCWRIGHT_TOKEN'])
    output.note('DOCWRIGHT_TOKEN is not in it: sign in with docwright login, or set it there.');
}

import { hostname } from 'node:os';
import type { Command } from 'commander';
import { readBaseUrl } from '../../client/base-url.ts';
import { DocwrightError } from '../../client/docwright-error.ts';
import { createDocwright } from '../../create-docwright.ts';
import { action, type Host } from '../context/action.ts';
import { configPath, readConfig, writeConfig, type SignIn } from '../context/config-file.ts';
import { serverAddress, signedIn, type CommandContext } from '../context/context.ts';
import { exitCodes, Interrupted, UsageError, type ExitCode } from '../context/exit-codes.ts';
import { resolveOrganization } from '../context/names.ts';
import { printableLine } from '../terminal/terminal-text.ts';

interface LoginOptions {
  email?: string;
  passwordStdin?: true;
  code?: string;
  token?: string;
  lifetimeDays?: string;
  printToken?: true;
}

const defaultLifetimeDays = 90;

export function addSignInCommands(program: Command, host: Host): void {
  program
    .command('login')
    .argument('[url]', 'address of the server')
    .summary('sign in to a server')
    .description(
      'Signs in with e-mail and password and creates an access token for this machine, or stores an existing one. The token is in the configuration folder, readable only by you.',
    )
    .option('--email <email>', 'the e-mail address of the account')
    .option('--password-stdin', 'read the password from standard input')
    .option('--code <code>', 'a code of the authenticator app or a recovery code, if the account requires one')
    .option('--token <token>', 'store this access token; - reads it from standard input')
    .option('--lifetime-days <days>', `lifetime of the token, 0 for no limit (${defaultLifetimeDays})`)
    .option('--print-token', 'print the new token, for use elsewhere')
    .action(action<[string | undefined], LoginOptions>(host, login));

  program.command('logout').summary('sign out and revoke the token of this machine').action(action(host, logout));

  program.command('whoami').summary('show the signed-in user and the organization').action(action(host, whoami));
}

async function login(context: CommandContext, [given]: [string | undefined], options: LoginOptions): Promise<void> {
  const { env, output } = context;
  const address = given ?? context.global.url;
  const baseUrl = address === undefined ? await askAddress(context) : readBaseUrl(withScheme(address));
  const { hostname: host, protocol } = new URL(baseUrl);
  if (protocol === 'http:' && !isLoopback(host)) {
    output.note(
      output.style(
        'yellow',
        `The connection to ${baseUrl} is not encrypted. Others on the network can read your password and documents.`,
      ),
    );
  }
  const { signIn, token } =
    options.token === undefined
      ? await withPassword(context, baseUrl, options)
      : await withToken(context, baseUrl, options.token === '-' ? await readStdin(context) : options.token);
  const config = await readConfig(env);
  await writeConfig(env, { current: baseUrl, servers: { ...config.servers, [baseUrl]: signIn } });
  output.note(`Signed in at ${baseUrl}${signIn.email === undefined ? '' : ` as ${printableLine(signIn.email)}`}.`);
  const shown = options.printToken === true ? { token } : {};
  output.data({ url: baseUrl, organization_id: signIn.organization_id, email: signIn.email, ...shown });
  if (options.printToken === true) output.print(token);
}

async function withPassword(context: CommandContext, baseUrl: string, options: LoginOptions) {
  const { signal, global } = context;
  const days = lifetime(options.lifetimeDays);
  const email = options.email ?? (await askFor(context, 'E-mail', '--email'));
  const secret = options.passwordStdin === true ? await readStdin(context) : await askSecret(context);
  const { access_token, user } = await signInWith(context, baseUrl, { email, password: secret }, options.code);
  const session = createDocwright({ baseUrl, token: access_token });
  const organization_id =
    global.org === undefined
      ? await session.organizationId({ signal })
      : await resolveOrganization(session, global.org, signal);
  try {
    const created = await session
      .in(organization_id)
      .accessTokens.create({ name: `docwright on ${hostname()}`.slice(0, 200), lifetime_days: days }, { signal });
    // The token replaces the session.
    await session.auth.logout({ signal }).catch(() => undefined);
    const { token, id, expires_at } = created;
    return { token, signIn: { token, token_id: id, organization_id, email: user.email, expires_at } satisfies SignIn };
  } catch (error) {
    // Viewers cannot create tokens. Their session is used until it expires.
    if (!(error instanceof DocwrightError) || error.status !== 403) throw error;
    return {
      token: access_token,
      signIn: { token: access_token, organization_id, email: user.email } satisfies SignIn,
    };
  }
}

/** Asks for a code only if the account has a second factor. */
async function signInWith(
  context: CommandContext,
  baseUrl: string,
  account: { email: string; password: string },
  code: string | undefined,
) {
  const { auth } = createDocwright({ baseUrl });
  const { signal } = context;
  try {
    return await auth.login(code === undefined ? account : { ...account, code }, { signal });
  } catch (error) {
    if (!(error instanceof DocwrightError) || error.code !== 'second_factor_needed') throw error;
    return auth.login({ ...account, code: await askFor(context, 'Code', '--code') }, { signal });
  }
}

async function withToken({ signal }: CommandContext, baseUrl: string, given: string) {
  const token = given.trim();
  const client = createDocwright({ baseUrl, token });
  const { user, organizations } = await client.auth.me({ signal });
  const [first] = organizations;
  if (first === undefined) throw new UsageError('The account of this token belongs to no organization.');
  return { token, signIn: { token, organization_id: first.id, email: user.email } satisfies SignIn };
}

async function logout(context: CommandContext): Promise<void> {
  const { env, output, signal } = context;
  const baseUrl = await serverAddress(context);
  const { current, servers } = await readConfig(env);
  const { [baseUrl]: signIn, ...others } = servers;
  if (signIn === undefined) {
    output.note(`Not signed in at ${baseUrl}.`);
    output.data({ url: baseUrl, signed_out: false });
    return;
  }
  const client = createDocwright({ baseUrl, token: signIn.token, organizationId: signIn.organization_id, retries: 0 });
  if (signIn.token_id !== undefined) {
    await client.accessTokens.delete(signIn.token_id, { signal }).catch((error: unknown) => {
      if (error instanceof DocwrightError && [401, 404].includes(error.status)) return;
      output.note('The server did not revoke the token. Revoke it in the settings, under access tokens.');
    });
  }
  await writeConfig(env, { ...(current !== undefined && current !== baseUrl && { current }), servers: others });
  output.note(`Signed out at ${baseUrl}.`);
  output.data({ url: baseUrl, signed_out: true });
}

async function whoami(context: CommandContext): Promise<ExitCode> {
  const { output, env } = context;
  const client = await signedIn(context);
  const me = await client.auth.me({ signal: context.signal });
  const organization_id = await client.organizationId({ signal: context.signal });
  output.data({ url: client.baseUrl, organization_id, ...me });
  output.print(`${printableLine(me.user.name)} <${printableLine(me.user.email)}> at ${client.baseUrl}`);
  for (const { id, name, role } of me.organizations) {
    output.print(`${id === organization_id ? '*' : ' '} ${id}  ${printableLine(name)} (${role})`);
  }
  const source = env['DOCWRIGHT_TOKEN'] ? 'the token in DOCWRIGHT_TOKEN' : configPath(env);
  output.note(output.style('dim', `Signed in by ${source}.`));
  return exitCodes.ok;
}

/** Adds the scheme to an address such as `localhost:3000`. */
function withScheme(address: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return address;
  const host = address.replace(/[:/].*$/, '');
  return `${isLoopback(host) ? 'http' : 'https'}://${address}`;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
}

function lifetime(given: string | undefined): number {
  const days = given === undefined ? defaultLifetimeDays : Number(given);
  if (!Number.isInteger(days) || days < 0 || days > 3650) {
    throw new UsageError('--lifetime-days takes a whole number from 0 (no limit) to 3650.');
  }
  return days;
}

async function askAddress(context: CommandContext): Promise<string> {
  const defaultAddress = await serverAddress(context);
  if (!context.asker.isTerminal) return defaultAddress;
  const answer = requireAnswer(await context.asker.ask(`Address of the server (${defaultAddress}): `)).trim();
  return answer === '' ? defaultAddress : readBaseUrl(withScheme(answer));
}

async function askFor({ asker }: CommandContext, what: string, option: string): Promise<string> {
  if (!asker.isTerminal) throw new UsageError(`Give ${option}, because the command cannot ask without a terminal.`);
  return requireAnswer(await asker.ask(`${what}: `)).trim();
}

async function askSecret({ asker }: CommandContext): Promise<string> {
  if (!asker.isTerminal)
    throw new UsageError('Give --password-stdin, because the command cannot ask without a terminal.');
  return requireAnswer(await asker.askSecret('Password: '));
}

function requireAnswer(answer: string | undefined): string {
  if (answer === undefined) throw new Interrupted('Not signed in.');
  return answer;
}

async function readStdin({ asker }: CommandContext): Promise<string> {
  return (await asker.read()).replace(/\r?\n$/, '');
}

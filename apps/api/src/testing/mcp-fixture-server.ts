import { setTimeout as sleep } from 'node:timers/promises';
import {
  Server,
  type CallToolResult,
  type ElicitRequestFormParams,
  type ServerContext,
} from '@modelcontextprotocol/server';

type Result = CallToolResult | Promise<CallToolResult>;
type Fixture = (context: ServerContext, args: Record<string, unknown>) => Result;

/** One red pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const text = (content: string): CallToolResult => ({ content: [{ type: 'text', text: content }] });
const image = { type: 'image' as const, data: png, mimeType: 'image/png' };

async function ask({ mcpReq }: ServerContext, message: string, schema: object, required?: string[]): Promise<string> {
  const requestedSchema = { type: 'object', properties: schema, ...(required && { required }) };
  const form = { mode: 'form', message, requestedSchema } as unknown as ElicitRequestFormParams;
  const { action, content } = await mcpReq.elicitInput(form, { relatedRequestId: mcpReq.id });
  return `action=${action}, content=${JSON.stringify(content ?? {})}`;
}

const word = { type: 'string' };
const titled = [
  { const: 'value1', title: 'First Option' },
  { const: 'value2', title: 'Second Option' },
];
const options = ['option1', 'option2', 'option3'];

/** The tools that the official conformance suite calls, as its specification describes them. */
const fixtures: Record<string, { schema?: object; run: Fixture }> = {
  test_simple_text: { run: () => text('This is a simple text response for testing.') },
  test_image_content: { run: () => ({ content: [image] }) },
  test_audio_content: { run: () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] }) },
  test_embedded_resource: {
    run: () => ({
      content: [
        {
          type: 'resource',
          resource: {
            uri: 'test://embedded-resource',
            mimeType: 'text/plain',
            text: 'This is an embedded resource content.',
          },
        },
      ],
    }),
  },
  test_multiple_content_types: {
    run: () => ({
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        image,
        {
          type: 'resource',
          resource: {
            uri: 'test://mixed-content-resource',
            mimeType: 'application/json',
            text: '{"test":"data","value":123}',
          },
        },
      ],
    }),
  },
  test_tool_with_logging: {
    async run({ mcpReq }) {
      for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
        await sleep(50);
      }
      return text('Logged.');
    },
  },
  test_error_handling: {
    run: () => ({ isError: true, ...text('This tool intentionally returns an error for testing') }),
  },
  test_tool_with_progress: {
    async run({ mcpReq }) {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined) {
          const params = { progressToken, progress, total: 100 };
          await mcpReq.notify({ method: 'notifications/progress', params });
        }
        await sleep(50);
      }
      return text('Done.');
    },
  },
  test_elicitation: {
    schema: { type: 'object', properties: { message: word }, required: ['message'] },
    run: async (context, { message }) =>
      text(
        `User response: ${await ask(context, String(message), { username: word, email: word }, ['username', 'email'])}`,
      ),
  },
  test_elicitation_sep1034_defaults: {
    run: async (context) =>
      text(
        `Elicitation completed: ${await ask(context, 'With defaults', {
          name: { ...word, default: 'John Doe' },
          age: { type: 'integer', default: 30 },
          score: { type: 'number', default: 95.5 },
          status: { ...word, enum: ['active', 'inactive', 'pending'], default: 'active' },
          verified: { type: 'boolean', default: true },
        })}`,
      ),
  },
  test_elicitation_sep1330_enums: {
    run: async (context) =>
      text(
        `Elicitation completed: ${await ask(context, 'Choose', {
          untitledSingle: { ...word, enum: options },
          titledSingle: { ...word, oneOf: titled },
          legacyEnum: { ...word, enum: ['opt1', 'opt2'], enumNames: ['Option One', 'Option Two'] },
          untitledMulti: { type: 'array', items: { ...word, enum: options } },
          titledMulti: { type: 'array', items: { anyOf: titled } },
        })}`,
      ),
  },
  json_schema_2020_12_tool: {
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: { address: { type: 'object', properties: { street: word, city: word } } },
      properties: { name: word, address: { $ref: '#/$defs/address' } },
      additionalProperties: false,
    },
    run: () => text('Fits.'),
  },
};

const prompts: Record<string, { args: string[]; messages: (args: Record<string, string>) => object[] }> = {
  test_simple_prompt: { args: [], messages: () => [{ type: 'text', text: 'This is a simple prompt for testing.' }] },
  test_prompt_with_arguments: {
    args: ['arg1', 'arg2'],
    messages: ({ arg1, arg2 }) => [{ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }],
  },
  test_prompt_with_embedded_resource: {
    args: ['resourceUri'],
    messages: ({ resourceUri: uri }) => [
      { type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' } },
      { type: 'text', text: 'Please process the embedded resource above.' },
    ],
  },
  test_prompt_with_image: {
    args: [],
    messages: () => [image, { type: 'text', text: 'Please analyze the image above.' }],
  },
};

const staticText = { uri: 'test://static-text', mimeType: 'text/plain' };
const staticBinary = { uri: 'test://static-binary', mimeType: 'image/png' };

function read(uri: string): object {
  if (uri === staticText.uri) return { ...staticText, text: 'This is the content of the static text resource.' };
  if (uri === staticBinary.uri) return { ...staticBinary, blob: png };
  const id = /^test:\/\/template\/([^/]+)\/data$/u.exec(uri)?.[1] ?? '';
  const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
  return { uri, mimeType: 'application/json', text: data };
}

/** The fixtures that the conformance suite expects, served at a separate endpoint instead of the product's tools. */
export function createMcpFixtureServer(): Server {
  const server = new Server(
    { name: 'docwright-fixtures', version: '1' },
    { capabilities: { tools: {}, prompts: {}, resources: { subscribe: true }, logging: {}, completions: {} } },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: Object.entries(fixtures).map(([name, { schema = { type: 'object' } }]) => ({
      name,
      description: `The fixture ${name}.`,
      inputSchema: schema as { type: 'object' },
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }, context) => {
    const fixture = fixtures[name];
    return fixture === undefined ? { isError: true, ...text(`No tool ${name}.`) } : await fixture.run(context, args);
  });
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.entries(prompts).map(([name, { args }]) => ({
      name,
      description: `The fixture ${name}.`,
      arguments: args.map((argument) => ({ name: argument, required: true })),
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: args = {} } }) => {
    const contents = prompts[name]?.messages(args) ?? [];
    return { messages: contents.map((content) => ({ role: 'user', content })) } as never;
  });
  server.setRequestHandler('resources/list', () => ({
    resources: [staticText, staticBinary].map((resource) => ({
      ...resource,
      name: resource.uri,
      description: resource.uri,
    })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', description: 'A template.' }],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => ({ contents: [read(uri)] }) as never);
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
  server.setRequestHandler('completion/complete', () => ({ completion: { values: ['paris', 'park'], total: 2 } }));
  return server;
}

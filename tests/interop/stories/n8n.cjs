// Runs a workflow of the built nodes in n8n's own engine: upload, extract, get the result and the link to approve.
require('reflect-metadata');
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { ExecutionLifecycleHooks, WorkflowExecute } = require('n8n-core');
const { createRunExecutionData, NodeHelpers, Workflow } = require('n8n-workflow');

const { DOCWRIGHT_URL: url, DOCWRIGHT_TOKEN: token, INVOICE: invoice } = process.env;
const dist = process.argv[2];
const load = (file) => {
  const exported = require(path.join(dist, file));
  return new exported[file.split('.')[0]]();
};
const credential = load('DocwrightApi.credentials.js');
const types = {
  'n8n-nodes-docwright.docwright': load('Docwright.node.js'),
  'n8n-nodes-docwright.docwrightTrigger': load('DocwrightTrigger.node.js'),
};
const byName = (name) => types[name];
const nodeTypes = { getByName: byName, getByNameAndVersion: byName, getKnownTypes: () => ({}) };
const credentials = { docwrightApi: { id: '1', name: 'Docwright' } };
const node = (name, type, parameters) => ({
  id: name,
  name,
  type,
  typeVersion: 1,
  position: [0, 0],
  parameters,
  credentials,
});
const same = (actual, expected) => {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) throw new Error(`${JSON.stringify(actual)} is not expected`);
};

async function call(method, place, body) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${url}${place}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${method} ${place}: ${answer.status} ${await answer.text()}`);
  return await answer.json();
}

async function createPrompt() {
  const { organizations } = await call('GET', '/v0/me');
  const base = `/v0/orgs/${organizations[0].id}`;
  const properties = { invoice_number: { type: ['string', 'null'], description: 'Invoice number' } };
  const schema = { type: 'object', properties, required: ['invoice_number'], additionalProperties: false };
  const response_format = { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema } };
  const { schema_id } = await call('POST', `${base}/schemas`, { name: 'Invoice of n8n', response_format });
  const prompt = { name: 'Invoice of n8n', content: 'Read the invoice number.', schema_id };
  return (await call('POST', `${base}/prompts`, prompt)).prompt_id;
}

/** What the server of n8n gives to its engine. */
const credentialsHelper = {
  isCredentialUsableByNode: () => true,
  getParentTypes: () => [],
  preAuthentication: async () => undefined,
  getDecrypted: async () => ({ url, token }),
  async authenticate(data, _type, options) {
    const filled = Object.entries(credential.authenticate.properties.headers).map(([name, value]) => [
      name,
      value.slice(1).replace(/\{\{\$credentials\.(\w+)\}\}/gu, (_, field) => data[field]),
    ]);
    return { ...options, headers: { ...options.headers, ...Object.fromEntries(filled) } };
  },
};

async function story() {
  const promptId = await createPrompt();
  const docwright = 'n8n-nodes-docwright.docwright';
  const names = ['Event', 'Upload', 'Extract', 'Result', 'Link'];
  const workflow = new Workflow({
    id: '1',
    active: false,
    nodeTypes,
    settings: { executionOrder: 'v1' },
    nodes: [
      node('Event', 'n8n-nodes-docwright.docwrightTrigger', {}),
      node('Upload', docwright, {}),
      node('Extract', docwright, { operation: 'extract', promptId }),
      node('Result', docwright, { operation: 'getResult', promptId }),
      node('Link', docwright, { operation: 'approveLink' }),
    ],
    connections: Object.fromEntries(
      names.slice(1).map((next, at) => [names[at], { main: [[{ node: next, type: 'main', index: 0 }]] }]),
    ),
  });
  same(workflow.nodes.Event.parameters.events, ['result.released']);
  for (const each of Object.values(workflow.nodes)) {
    const { description } = types[each.type];
    same(NodeHelpers.getNodeParametersIssues(description.properties, each, description), null);
  }
  const bytes = readFileSync(invoice).toString('base64');
  const binary = { data: { data: bytes, mimeType: 'application/pdf', fileName: 'invoice.pdf' } };
  const hooks = new ExecutionLifecycleHooks('trigger', '1', {});
  const done = new Promise((resolve) => hooks.addHandler('workflowExecuteAfter', resolve));
  const data = createRunExecutionData({
    executionData: {
      waitingExecutionSource: null,
      nodeExecutionStack: [{ node: workflow.nodes.Event, data: { main: [[{ json: {}, binary }]] }, source: null }],
    },
  });
  const waiting = 'http://127.0.0.1/waiting';
  const surroundings = { webhookWaitingBaseUrl: waiting, formWaitingBaseUrl: waiting, variables: {} };
  const engine = new WorkflowExecute({ hooks, credentialsHelper, ...surroundings }, 'trigger', data);
  await engine.processRunExecutionData(workflow);
  const { resultData } = (await done).data;
  if (resultData.error) throw resultData.error;
  const output = (name) => resultData.runData[name]?.[0]?.data?.main?.[0]?.[0]?.json ?? {};
  const id = output('Upload').document_id;
  if (!/^[0-9a-f]{24}$/.test(id)) throw new Error('Nothing was uploaded.');
  if (!JSON.stringify(output('Result').result).includes('INV-100')) throw new Error('The result has no INV-100.');
  same(output('Link').link, `${url}/documents/${id}?tab=agent`);
  console.log('a workflow of 5 nodes ran in n8n’s engine: uploaded, INV-100 extracted');
}
story().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);

// Loads the built nodes with n8n's own package, as a workflow does, and uploads a document with the parameters that it fills in.
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { NodeHelpers, Workflow } = require('n8n-workflow');

const dist = process.argv[2];
const load = (file) => {
  const exported = require(path.join(dist, file));
  return new exported[file.split('.')[0]]();
};
const types = {
  'n8n-nodes-docwright.docwright': load('Docwright.node.js'),
  'n8n-nodes-docwright.docwrightTrigger': load('DocwrightTrigger.node.js'),
};
const byName = (name) => types[name];
const nodeTypes = { getByName: byName, getByNameAndVersion: byName, getKnownTypes: () => ({}) };
const node = (name, type, parameters) => ({ id: name, name, type, typeVersion: 1, position: [0, 0], parameters });
const workflow = new Workflow({
  id: '1',
  active: false,
  nodeTypes,
  nodes: [
    node('Event', 'n8n-nodes-docwright.docwrightTrigger', {}),
    node('Upload', 'n8n-nodes-docwright.docwright', {}),
    node('Extract', 'n8n-nodes-docwright.docwright', { operation: 'extract' }),
  ],
  connections: {
    Event: { main: [[{ node: 'Upload', type: 'main', index: 0 }]] },
    Upload: { main: [[{ node: 'Extract', type: 'main', index: 0 }]] },
  },
});
const same = (actual, expected) => {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) throw new Error(`${JSON.stringify(actual)} is not expected`);
};
same(workflow.getChildNodes('Event').toSorted(), ['Extract', 'Upload']);
same(workflow.nodes.Event.parameters.events, ['result.released']);
same(workflow.nodes.Extract.parameters.documentId, '={{$json.document_id}}');
for (const each of Object.values(workflow.nodes)) {
  const { description } = types[each.type];
  same(NodeHelpers.getNodeParametersIssues(description.properties, each, description), null);
}

const bytes = readFileSync(process.env.INVOICE);
const { parameters } = workflow.nodes.Upload;
const context = {
  getCredentials: async () => ({ url: process.env.DOCWRIGHT_URL }),
  getInputData: () => [{ json: {} }],
  getNodeParameter: (name) => parameters[name],
  continueOnFail: () => false,
  helpers: {
    assertBinaryData: () => ({ fileName: 'invoice.pdf', mimeType: 'application/pdf' }),
    getBinaryDataBuffer: async () => bytes,
    async httpRequestWithAuthentication(_credential, { method, url, body }) {
      const headers = {
        authorization: `Bearer ${process.env.DOCWRIGHT_TOKEN}`,
        'content-type': 'application/json',
      };
      const answer = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
      return await answer.json();
    },
  },
};
async function upload() {
  const [[item]] = await types['n8n-nodes-docwright.docwright'].execute.call(context);
  if (!/^[0-9a-f]{24}$/.test(item.json.document_id)) throw new Error('Nothing was uploaded.');
  console.log('2 nodes load, a workflow of 3 has no issues, invoice uploaded');
}
void upload();

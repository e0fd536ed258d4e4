/** The first page of the OpenAPI document. */
export const introduction = `A document workbench with an agent.

Bodies are JSON in snake_case, ids have 24 hex digits unless a route says otherwise, times are ISO 8601 in UTC. What creates answers 201, what deletes 204. Lists take \`skip\` and \`limit\` (100 at most); their \`total_count\` counts all that matches.

**Signing in**: \`POST /v0/auth/login\` gives a JWT for \`Authorization: Bearer …\`, and a cookie for browsers. Programs use an access token, as \`Bearer\` or in \`X-Api-Key\`. Routes below \`/v0/orgs/{org_id}\` act in that organization; those below \`/api\`, and \`/mcp\`, in the one that \`X-Org-Id\` names, else in that of the token, else in the one that the caller has belonged to for longest.

**Errors** are \`{ "error": { "code", "message", "details"?, "request_id" } }\`. \`code\` is stable, and each operation names its own; \`message\` is for a person and says the cure; \`request_id\` is also in the \`X-Request-Id\` header. What is not there and what is not yours are both 404.

**Streams** are \`text/event-stream\`; a comment every 15 seconds of silence keeps them open.`;

/** The groups of the OpenAPI document, in its order. */
export const openApiTags = [
  { name: 'identity', description: 'Accounts, signing in and out.' },
  { name: 'organizations', description: 'Organizations, their members and invitations.' },
  { name: 'oauth', description: 'Sign-in of programs that know nothing but the address (OAuth 2.1).' },
  { name: 'access tokens', description: 'Credentials for programs, each for one organization.' },
  { name: 'documents', description: 'Uploads, the original files, and the text that was read from them.' },
  { name: 'bulk jobs', description: 'One action over many documents: with progress, stop and undo.' },
  { name: 'trash', description: 'Deleted documents, which can be restored for 30 days.' },
  { name: 'schemas', description: 'What is to be extracted: draft 7 JSON Schemas in immutable revisions.' },
  { name: 'prompts', description: 'How it is to be extracted: prompts in immutable revisions, applied by tag.' },
  { name: 'tags', description: 'Labels that bring documents and prompts together.' },
  { name: 'extractions', description: 'Results of a prompt on a document, with where each value stands on the pages.' },
  { name: 'review', description: 'The values that are worth a look, the riskiest first, and decisions about them.' },
  { name: 'evaluations', description: 'Prompts measured against verified results, before a change is saved.' },
  {
    name: 'chat',
    description:
      'The agent of one document: turns, the decisions on what it wants to write, threads, undo. Turns and threads are the person’s who began them.',
  },
  { name: 'approvals', description: 'The inbox: every call that waits for a decision, over all documents.' },
  { name: 'permission rules', description: 'Which calls of the agent run, wait for a person, or never run.' },
  { name: 'audit', description: 'What the agent proposed, who decided, what ran and what was undone.' },
  { name: 'auto-create', description: 'Proposals of a schema, a prompt and an extraction, made without a person.' },
  { name: 'runs', description: 'The agent over many documents, without a person.' },
  { name: 'schedules', description: 'Runs that begin by the clock.' },
  { name: 'schema chat', description: 'A stateless assistant that designs the columns of a schema.' },
  { name: 'sources', description: 'Sets of documents for pipelines, and what pipelines can be made of.' },
  { name: 'pipeline agent', description: 'Conversations in which a pipeline is built, and applied by the person.' },
  { name: 'collections', description: 'What applied pipelines have made: chunks of documents that can be searched.' },
  { name: 'tasks', description: 'A person’s to-do list.' },
  { name: 'task agent', description: 'The same list, kept by talking to an agent.' },
  { name: 'llm', description: 'The models on offer, and the providers they come from.' },
  { name: 'usage', description: 'What model calls have cost, and the budget for them.' },
  { name: 'mcp', description: 'The tools for clients of the Model Context Protocol.' },
  { name: 'operations', description: 'For operators of the server.' },
];

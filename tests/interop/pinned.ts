/** The versions that the interoperability run installs; the table in docs/interop.md has the same. */
export const pinned = {
  openapiGenerator: '7.17.0',
  openapiTypescript: '7.13.0',
  openapiFetch: '0.17.0',
  typescript: '5.9.3',
  typesNode: '24.19.2',
  mcp: '1.30.0',
  openapiPythonClient: '0.29.1',
  oapiCodegen: '2.8.2',
  mcpConformance: '0.1.16',
  schemathesis: '4.32.5',
  n8nWorkflow: '2.41.0',
  n8nCore: '2.41.1',
  /** Public sets of electronic invoices (Apache-2.0), with those of OASIS, UN/CEFACT and OpenPeppol. */
  invoices: [
    'com.helger.ubl:ph-ubl-testfiles:10.1.0',
    'com.helger.cii:ph-cii-testfiles:4.1.1',
    'com.helger.peppol:peppol-testfiles:12.3.9',
  ],
  litellm: '1.104.3',
  pythonOfGenerated: ['pydantic==2.14.3', 'python-dateutil==4.0.0', 'typing_extensions==4.16.0', 'urllib3==2.8.0'],
};

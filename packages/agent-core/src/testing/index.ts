export * from './in-memory-document-services.ts';

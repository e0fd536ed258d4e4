import type { ValidationAnswer, ValidationError } from '@docwright/contract';
import { joinPath } from './dotted-path.ts';
import { exceedsExtent } from './json-extent.ts';
import { problemOfPatterns } from './linear-pattern.ts';
import { checkReferences } from './reference-rules.ts';
import { compileSchema, errorsAgainstDraft7 } from './schema-compiler.ts';
import { allNodes, isSchemaObject, type SchemaNode, type SchemaObject } from './schema-nodes.ts';

const maxJsonDepth = 64;
const maxCharacters = 200_000;
const maxErrors = 50;
const maxPatterns = 200;
const maxNameLength = 100;
const unsafeNames = new Set(['__proto__', 'constructor', 'prototype']);
const draft7 = /^http:\/\/json-schema\.org\/draft-07\/schema#?$/;
const foreignKeywords = ['$id', '$async', '$recursiveRef', '$dynamicRef', '$anchor', '$dynamicAnchor'];

/**
 * Checks the schema of a response format, for routes and tools: valid draft 7, the root an object, every object closed
 * with all its properties required, local references only, bounded depth and size, patterns with linear time. Takes a
 * `response_format` or its inner schema; paths are dotted, within the inner schema.
 */
export function checkResponseFormat(value: unknown): ValidationAnswer {
  const errors = errorsOf(value).slice(0, maxErrors);
  return { valid: errors.length === 0, errors };
}

function errorsOf(value: unknown): ValidationError[] {
  if (!isSchemaObject(value)) return [{ path: '', message: 'A schema is a JSON object.' }];
  if (exceedsExtent(value, { depth: maxJsonDepth })) {
    return [{ path: '', message: `The schema is nested deeper than ${maxJsonDepth} levels of JSON. Flatten it.` }];
  }
  if (value['type'] !== 'json_schema') return errorsOfSchema(value);
  const wrapper = value['json_schema'];
  const inner = isSchemaObject(wrapper) ? wrapper['schema'] : undefined;
  if (!isSchemaObject(inner)) {
    return [
      {
        path: '',
        message:
          'A response_format is { "type": "json_schema", "json_schema": { "name", "strict": true, "schema": { … } } }; its schema is missing.',
      },
    ];
  }
  return errorsOfSchema(inner);
}

function errorsOfSchema(schema: SchemaObject): ValidationError[] {
  if (JSON.stringify(schema).length > maxCharacters) {
    return [{ path: '', message: `The schema is larger than ${maxCharacters} characters of JSON. Split it.` }];
  }
  if (schema['type'] !== 'object') {
    return [{ path: 'type', message: 'The root of the schema must have "type": "object". Wrap a list in a property.' }];
  }
  const declared = schema['$schema'];
  if (declared !== undefined && !(typeof declared === 'string' && draft7.test(declared))) {
    return [
      {
        path: '$schema',
        message: 'Only draft 7 is supported. Use "http://json-schema.org/draft-07/schema#", or omit "$schema".',
      },
    ];
  }
  const draftErrors = errorsAgainstDraft7(schema);
  if (draftErrors.length > 0) return draftErrors;
  const nodes = allNodes(schema);
  const patterns = nodes.flatMap(patternsOf);
  if (patterns.length > maxPatterns) {
    return [{ path: '', message: `The schema has more than ${maxPatterns} patterns. Keep those that matter.` }];
  }
  const errors = [...checkReferences(schema), ...nodes.flatMap(errorsOfNode), ...errorsOfPatterns(patterns)];
  return errors.length > 0 ? errors : errorsOfCompiling(schema);
}

function errorsOfCompiling(schema: SchemaObject): ValidationError[] {
  try {
    compileSchema(schema);
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ path: '', message: `The schema cannot be used: ${reason}.` }];
  }
}

function errorsOfNode(node: SchemaNode): ValidationError[] {
  return [
    ...errorsOfKeywords(node),
    ...errorsOfPropertyNames(node),
    ...(node.laysOutShape && laysOutObject(node.schema) ? errorsOfObject(node) : []),
    ...(node.laysOutShape ? errorsOfList(node) : []),
  ];
}

function errorsOfKeywords(node: SchemaNode): ValidationError[] {
  return foreignKeywords
    .filter((keyword) => Object.hasOwn(node.schema, keyword))
    .map((keyword) => ({
      path: joinPath(node.path, keyword),
      message: `"${keyword}" is not supported. Remove it; refer to definitions by "#/definitions/…".`,
    }));
}

function errorsOfPropertyNames(node: SchemaNode): ValidationError[] {
  return propertiesOf(node.schema).flatMap((name) => {
    const problem = problemOfName(name);
    return problem ? [{ path: joinPath(joinPath(node.path, 'properties'), name), message: problem }] : [];
  });
}

function problemOfName(name: string): string | undefined {
  if (unsafeNames.has(name)) return `A property cannot be named "${name}". Choose another name.`;
  if (name.trim() === '') return 'A property needs a name.';
  if (name.includes('.')) return 'A property name has no dot, because paths are written with dots. Use "_" instead.';
  if (/\p{Cc}/u.test(name)) return 'A property name has no control characters. Remove them.';
  if (name.length > maxNameLength) return `A property name has at most ${maxNameLength} characters.`;
  return undefined;
}

function patternsOf(node: SchemaNode): { path: string; pattern: string }[] {
  const { pattern, patternProperties } = node.schema;
  const named = isSchemaObject(patternProperties) ? Object.keys(patternProperties) : [];
  return [
    ...(typeof pattern === 'string' ? [{ path: joinPath(node.path, 'pattern'), pattern }] : []),
    ...named.map((key) => ({ path: joinPath(node.path, 'patternProperties'), pattern: key })),
  ];
}

function errorsOfPatterns(patterns: readonly { path: string; pattern: string }[]): ValidationError[] {
  const found = problemOfPatterns(patterns.map(({ pattern }) => pattern));
  return found === undefined ? [] : [{ path: patterns[found.index]!.path, message: found.problem }];
}

/** A list without `items` says nothing about its rows: a model fills it in another way each time. */
function errorsOfList({ schema, path }: SchemaNode): ValidationError[] {
  const types = [schema['type']].flat();
  if (!types.includes('array') || schema['items'] !== undefined || schema['contains'] !== undefined) return [];
  return [{ path: joinPath(path, 'items'), message: 'A list needs "items", the schema of its rows. Add it.' }];
}

function laysOutObject(schema: SchemaObject): boolean {
  const type = schema['type'];
  return type === 'object' || (Array.isArray(type) && type.includes('object')) || isSchemaObject(schema['properties']);
}

function errorsOfObject(node: SchemaNode): ValidationError[] {
  const properties = propertiesOf(node.schema);
  const required = Array.isArray(node.schema['required']) ? node.schema['required'].map(String) : [];
  const errors: ValidationError[] = [];
  if (node.schema['additionalProperties'] !== false) {
    errors.push({ path: node.path, message: 'Every object must set "additionalProperties": false. Add it here.' });
  }
  const missing = properties.filter((name) => !required.includes(name));
  if (missing.length > 0) {
    errors.push({
      path: joinPath(node.path, 'required'),
      message: `Every object must list all its properties in "required". Add ${missing.map((name) => JSON.stringify(name)).join(', ')}; for an optional value allow null, as in "type": ["string", "null"].`,
    });
  }
  const unknown = required.filter((name) => !properties.includes(name));
  if (unknown.length > 0) {
    errors.push({
      path: joinPath(node.path, 'required'),
      message: `"required" names ${unknown.map((name) => JSON.stringify(name)).join(', ')}, which "properties" does not have. Add the property or remove the name.`,
    });
  }
  return errors;
}

function propertiesOf(schema: SchemaObject): string[] {
  return isSchemaObject(schema['properties']) ? Object.keys(schema['properties']) : [];
}

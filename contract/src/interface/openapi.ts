/** The OpenAPI 3.1 document, generated from the operations. */
import type { TSchema } from 'typebox'
import { metadataFilterName } from '../traces/trace-filters.ts'
import { errors } from './errors.ts'
import { errorsOfBody, inputTravelsInQuery, type Operation, pathFields, sharedErrors } from './operation.ts'
import { allOperations } from './operations.ts'
import { resources } from './resources.ts'
import { schemaName } from './shapes.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type JsonObject = { [key: string]: Json }

/** Version of the interface that the service implements. */
const interfaceVersion = '0.2.1'

export function openApiDocument(): JsonObject {
  const components: JsonObject = {}
  const paths: { [path: string]: JsonObject } = {}
  for (const operation of allOperations) {
    const path = paths[operation.path] ?? {}
    paths[operation.path] = path
    path[operation.method.toLowerCase()] = describeOperation(operation, components)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plumbline',
      version: interfaceVersion,
      description:
        'Records runs of language-model applications and serves their prompts and datasets. Errors are always `{"error": "<a sentence>"}`; warnings accompany successful responses. Unknown body fields are ignored, and null counts as absent wherever null is allowed.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    security: [{ apiKey: [] }, { session: [] }],
    tags: Object.entries(resources).map(([name, { introduction }]) => ({
      name,
      description: withoutLinks(introduction),
    })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `pl_…`.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'plumbline.session_token',
          description: 'A person who is signed in to the web app.',
        },
      },
      schemas: {
        ...components,
        Error: {
          type: 'object',
          required: ['error'],
          properties: { error: { type: 'string', description: 'One sentence that describes the problem.' } },
        },
      },
    },
  }
}

/** Markdown without its links, which point to files beside the reference. */
const withoutLinks = (markdown: string): string => markdown.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')

function describeOperation(operation: Operation, components: JsonObject): JsonObject {
  const fields = operation.input.properties as Record<string, TSchema>
  const required = new Set(operation.input.required as readonly string[] | undefined)
  const inPath = new Set(pathFields(operation.path))
  const inQuery = inputTravelsInQuery(operation.method)
  const parameters: Json[] = []
  const body: JsonObject = {}
  for (const [name, schema] of Object.entries(fields)) {
    const described = reference(schema, components)
    if (inPath.has(name)) parameters.push({ name, in: 'path', required: true, schema: described })
    else if (inQuery) parameters.push({ name, in: 'query', required: required.has(name), schema: described })
    else body[name] = described
  }
  if ('patternProperties' in operation.input) {
    parameters.push({
      name: metadataFilterName,
      in: 'query',
      required: false,
      description: 'Any number of these; KEY is taken literally, dots included.',
      schema: { type: 'string' },
    })
  }
  return {
    operationId: operation.name,
    tags: [operation.name.slice(0, operation.name.indexOf('.'))],
    summary: operation.name,
    description: [operation.summary, ...(operation.notes ?? []), access(operation)].join('\n\n'),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.takes === undefined ? {} : { requestBody: describeFile(operation.takes) }),
    ...(Object.keys(body).length === 0
      ? {}
      : { requestBody: describeBody(operation, body, required, components) }),
    responses: { ...describeSuccess(operation, components), ...describeErrors(operation) },
  }
}

/** The scope and the role that an operation needs. */
const access = ({ scope, orScope, role }: Operation): string =>
  `Scope: \`${scope ?? 'none'}\`${orScope === undefined ? '' : ` or \`${orScope}\``}; role: \`${role}\`.`

function describeBody(
  operation: Operation,
  body: JsonObject,
  requiredNames: ReadonlySet<string>,
  components: JsonObject,
): JsonObject {
  const isWholeInput = Object.keys(body).length === Object.keys(operation.input.properties).length
  const schema =
    isWholeInput && nameOf(operation.input) !== undefined
      ? reference(operation.input, components)
      : {
          type: 'object',
          required: Object.keys(body).filter((name) => requiredNames.has(name)),
          properties: body,
        }
  return { required: true, content: { 'application/json': { schema } } }
}

const describeFile = (takes: readonly string[]): JsonObject => ({
  required: true,
  content: Object.fromEntries(
    takes.map((type) => [type, { schema: { type: 'string', description: `A file: ${takes.join(', ')}.` } }]),
  ),
})

function describeSuccess({ success, output }: Operation, components: JsonObject): JsonObject {
  if (output === null) return { [success]: { description: 'Done; no body.' } }
  const mediaType = (output as { contentMediaType?: string }).contentMediaType ?? 'application/json'
  return {
    [success]: {
      description: 'Success.',
      content: { [mediaType]: { schema: reference(output, components) } },
    },
  }
}

function describeErrors(operation: Operation): JsonObject {
  const codes = [...operation.errors, ...errorsOfBody(operation), ...sharedErrors]
  const byStatus = new Map<number, string[]>()
  for (const code of codes) {
    const { status } = errors[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, messages]) => [status, { description: messages.join(', '), content }]),
  )
}

const nameOf = (schema: object): string | undefined => (schema as { [schemaName]?: string })[schemaName]

/** Copies a schema, replacing each named schema with a reference to its component, which it adds to the document. */
function reference(schema: unknown, components: JsonObject): Json {
  if (Array.isArray(schema)) return schema.map((element) => reference(element, components))
  if (typeof schema !== 'object' || schema === null) return schema as Json
  const name = nameOf(schema)
  if (name === undefined) return copy(schema, components)
  if (components[name] === undefined) {
    components[name] = {}
    components[name] = copy(schema, components)
  }
  return { $ref: `#/components/schemas/${name}` }
}

const copy = (schema: object, components: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== schemaName)
      .map(([key, value]) => [key, reference(value, components)]),
  )

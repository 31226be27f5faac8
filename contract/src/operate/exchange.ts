/** Export and import of whole workspaces. */
import { Type } from 'typebox'
import { operation } from '../interface/operation.ts'

/** The media types of a bundle that an import accepts. */
const bundleTypes = ['application/x-ndjson', 'application/gzip'] as const

/** Exported as `export`, a reserved word. */
const everything = operation({
  name: 'exchange.export',
  method: 'GET',
  path: '/export',
  summary:
    'Streams the whole workspace as a bundle of JSON lines. The last line has the number of preceding lines and their SHA-256, so that a truncated bundle is detected.',
  scope: 'operate',
  role: 'owner',
  audit: 'sensitive read',
  input: Type.Object({}),
  success: 200,
  output: Type.Unsafe<string>({ type: 'string', contentMediaType: 'application/x-ndjson' }),
  errors: [],
})

/** Maximum number of rejected lines in the response to an import. */
export const importRefusalsMax = 100

/** Exported as `import`, a reserved word. */
const intoWorkspace = operation({
  name: 'exchange.import',
  method: 'POST',
  path: '/import',
  summary:
    'Imports a bundle. Lines that the interface would reject are rejected, together with the lines that depend on them; the others are imported. Existing data stays unchanged, so an interrupted import can be repeated. A bundle can be sent in parts, each of which is a bundle itself.',
  scope: 'operate',
  role: 'owner',
  input: Type.Object({}),
  takes: bundleTypes,
  success: 200,
  output: Type.Object({
    counts: Type.Array(
      Type.Object({
        what: Type.String({ description: '`traces`, `files`, or a table of what people edit.' }),
        read: Type.Integer({ description: 'Number in the bundle.' }),
        added: Type.Integer({ description: 'Number of them that are new in this workspace.' }),
      }),
    ),
    refusedCount: Type.Integer({
      description: 'Number of rejected lines.',
    }),
    refused: Type.Array(
      Type.Object({
        line: Type.Integer({ description: 'The line of the bundle, counted from 1.' }),
        table: Type.String({ description: 'Its table, as in `counts`.' }),
        reason: Type.String({ description: 'What is wrong, with the field.' }),
      }),
      { description: `The first ${importRefusalsMax} rejected lines; the rest of the bundle was imported.` },
    ),
  }),
  errors: ['invalid_request', 'body_too_large'],
})

export { everything as export, intoWorkspace as import }

/** A whole workspace, out of one place and into another. */
import { Type } from 'typebox'
import { operation } from '../interface/operation.ts'

/** The media types of a bundle that an import accepts. */
const bundleTypes = ['application/x-ndjson', 'application/gzip'] as const

/** Exported as `export`, which is no legal name for a constant. */
const everything = operation({
  name: 'exchange.export',
  method: 'GET',
  path: '/export',
  summary:
    'Streams the whole workspace as a bundle of JSON lines. The last line has the number of lines before it and their SHA-256, which reveals a truncated bundle.',
  scope: 'operate',
  role: 'owner',
  audit: 'sensitive read',
  input: Type.Object({}),
  success: 200,
  output: Type.Unsafe<string>({ type: 'string', contentMediaType: 'application/x-ndjson' }),
  errors: [],
})

/** How many rejected lines the response to an import has at most. */
export const importRefusalsMax = 100

/** Exported as `import`, which is no legal name for a constant. */
const intoWorkspace = operation({
  name: 'exchange.import',
  method: 'POST',
  path: '/import',
  summary:
    'Imports a bundle. A line that the interface would reject is rejected, with the lines that depend on it; the others are imported. Existing things stay unchanged, so an interrupted import can be repeated. A bundle may be sent in parts that are bundles themselves.',
  scope: 'operate',
  role: 'owner',
  input: Type.Object({}),
  takes: bundleTypes,
  success: 200,
  output: Type.Object({
    counts: Type.Array(
      Type.Object({
        what: Type.String({ description: 'A table of what people edit, `traces` or `files`.' }),
        read: Type.Integer({ description: 'How many the bundle has.' }),
        added: Type.Integer({ description: 'How many of them are new here.' }),
      }),
    ),
    refusedCount: Type.Integer({
      description: 'How many lines were rejected, because the interface would reject them.',
    }),
    refused: Type.Array(
      Type.Object({
        line: Type.Integer({ description: 'The line of the bundle, counted from 1.' }),
        table: Type.String({ description: 'Its table, as in `counts`.' }),
        reason: Type.String({ description: 'What is wrong with it, by its field.' }),
      }),
      { description: `The first ${importRefusalsMax} of them; the rest of the bundle was imported.` },
    ),
  }),
  errors: ['invalid_request', 'body_too_large'],
})

export { everything as export, intoWorkspace as import }

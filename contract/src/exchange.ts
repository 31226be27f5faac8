/** A whole workspace, out of one place and into another. */
import { Type } from 'typebox'
import { operation } from './operation.ts'

/** The media types in which a bundle is taken. */
export const bundleTypes = ['application/x-ndjson', 'application/gzip'] as const

/** Exported as `export`, which is no legal name for a constant. */
const everything = operation({
  name: 'exchange.export',
  method: 'GET',
  path: '/export',
  summary:
    'The whole workspace as a bundle: a line of JSON for each thing, the last with how many lines came before it and their SHA-256, so that a bundle that was cut off is known for it.',
  scope: 'operate',
  role: 'owner',
  input: Type.Object({}),
  success: 200,
  output: Type.Unsafe<string>({ type: 'string', contentMediaType: 'application/x-ndjson' }),
  errors: [],
})

/** So many refused lines does the answer to an import name. */
export const importRefusalsMax = 100

/** Exported as `import`, which is no legal name for a constant. */
const intoWorkspace = operation({
  name: 'exchange.import',
  method: 'POST',
  path: '/import',
  summary:
    'Takes a bundle. A line that is not what the interface would take is refused, and what depends on it, and the rest is taken. What is there stays as it is, so that an import that broke off can come again; a bundle may come in parts that are bundles themselves.',
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
      description: 'How many lines were refused, since they are not what the interface would take.',
    }),
    refused: Type.Array(
      Type.Object({
        line: Type.Integer({ description: 'The line of the bundle, counted from 1.' }),
        table: Type.String({ description: 'What it is of, as in `counts`.' }),
        reason: Type.String({ description: 'What is wrong with it, by its field.' }),
      }),
      { description: `The first ${importRefusalsMax} of them; everything else of the bundle was taken.` },
    ),
  }),
  errors: ['invalid_request', 'body_too_large'],
})

export { everything as export, intoWorkspace as import }

/** `import schema from '@plumbline/sdk/input-schemas?keys.create'`: the JSON Schema of one operation's input, as data. */
import { inputSchemas } from '@plumbline/sdk/input-schemas'
import type { Plugin } from 'vite'

const prefix = '@plumbline/sdk/input-schemas?'

export function schemaImports(): Plugin {
  return {
    name: 'schema-imports',
    enforce: 'pre',
    // The null byte keeps other plugins from treating it as a file.
    resolveId: (specifier) => (specifier.startsWith(prefix) ? `\0${specifier}` : undefined),
    load: (id) => {
      if (!id.startsWith(`\0${prefix}`)) return undefined
      const name = id.slice(prefix.length + 1)
      const schema = inputSchemas[name]
      if (schema === undefined) throw new Error(`No operation is called ${name}.`)
      return `export default ${JSON.stringify(schema)}`
    },
  }
}

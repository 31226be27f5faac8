/** Python types for JSON schemas. Objects with known fields become typed dictionaries, named after where they are used. */
import { pascal, type Schema } from './operations.ts'

const plain: Readonly<Record<string, string>> = {
  string: 'str',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
}

export class Types {
  readonly #schemas: Readonly<Record<string, Schema>>
  readonly #declarations = new Map<string, string>()

  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.#schemas = schemas
    for (const [name, schema] of Object.entries(schemas)) {
      const expression = this.expression(schema, name)
      // Anything other than an object with fields becomes a type alias.
      if (expression !== name) this.#declarations.set(name, `${name} = ${union([expression])}\n`)
    }
  }

  /** In the order of first use. Aliases come last, since they refer to classes. */
  declarations(): string[] {
    const all = [...this.#declarations.values()]
    const isClass = (text: string): boolean => text.startsWith('class ')
    return [...all.filter(isClass), ...all.filter((text) => !isClass(text))]
  }

  resolve(schema: Schema | undefined): Schema | undefined {
    return schema?.$ref === undefined ? schema : this.#schemas[nameOfReference(schema.$ref)]
  }

  /** The type of a schema; `name` is used if it needs a class. */
  expression(schema: Schema, name: string): string {
    if (schema.$ref !== undefined) return nameOfReference(schema.$ref)
    if (schema.enum !== undefined) return `Literal[${schema.enum.map((value) => literal(value)).join(', ')}]`
    const options = schema.oneOf ?? schema.anyOf
    if (options !== undefined)
      return union(options.map((option, index) => this.expression(option, `${name}${index + 1}`)))
    if (schema.type === undefined) return 'Any'
    const types = typeof schema.type === 'string' ? [schema.type] : schema.type
    return union(types.map((type) => this.#single(type, schema, name)))
  }

  #single(type: string, schema: Schema, name: string): string {
    if (type === 'array') return `List[${this.expression(schema.items ?? {}, `${name}Item`)}]`
    if (type !== 'object') return plain[type] ?? 'Any'
    if (Object.keys(schema.properties ?? {}).length === 0) return 'Dict[str, Any]'
    this.#declare(name, schema)
    return name
  }

  #declare(name: string, { properties = {}, required = [], description }: Schema): void {
    if (this.#declarations.has(name)) return
    this.#declarations.set(name, '')
    const fields = Object.entries(properties).map(([key, schema]): [string, string] => {
      const type = this.expression(schema, `${name}${pascal(key)}`)
      return [key, required.includes(key) ? type : `NotRequired[${type}]`]
    })
    const isPlain = fields.every(([key]) => /^[A-Za-z_]\w*$/.test(key) && !keywords.has(key))
    const sentence =
      description === undefined ? '' : `    """${description.split('\n')[0]!.replaceAll('"', "'")}"""\n\n`
    this.#declarations.set(
      name,
      isPlain
        ? `class ${name}(TypedDict):\n${sentence}${fields.map(([key, type]) => `    ${key}: ${type}`).join('\n')}\n\n`
        : `${name} = TypedDict("${name}", {${fields.map(([key, type]) => `"${key}": '${type}'`).join(', ')}})\n`,
    )
  }
}

const keywords = new Set(['from', 'in', 'is', 'not', 'class', 'def', 'global', 'import', 'and', 'or'])

const nameOfReference = (reference: string): string => reference.split('/').at(-1)!

const literal = (value: unknown): string =>
  value === null ? 'None' : typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)

const union = (types: readonly string[]): string => {
  const distinct = [...new Set(types)]
  return distinct.length === 1 ? distinct[0]! : `Union[${distinct.join(', ')}]`
}

/** The modules that `web/schema-imports.ts` generates at build time. */
declare module '@plumbline/sdk/input-schemas?*' {
  const schema: import('./check-input.ts').InputSchema
  export default schema
}

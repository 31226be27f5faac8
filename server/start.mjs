/** Starts the service, or says which Node it needs: an older one cannot read the TypeScript of `src/main.ts`. */
const oldest = 24
const [major = 0] = process.versions.node.split('.').map(Number)

if (major < oldest) {
  process.stderr.write(
    `Plumbline cannot start.\nNode ${process.versions.node} is too old: it needs Node ${oldest} or newer. npm ci installs one at node_modules/.bin/node, which npm start uses.\n`,
  )
  process.exit(1)
}
await import('./src/main.ts')

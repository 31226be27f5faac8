import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const kib = 1024

/** Bundles one line of an application, for platforms that have only `fetch`. */
async function bundle(line: string) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: line, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module'],
    write: false,
    metafile: true,
  })
  const [{ contents, text }] = outputFiles as [(typeof outputFiles)[0]]
  return { gzipBytes: gzipSync(contents).length, text, inputs: Object.keys(metafile.inputs) }
}

test('the whole client is smaller than 18 KiB, without schemas, templates and wrappers', async () => {
  const { gzipBytes, inputs } = await bundle(
    `import { createClient } from '@plumbline/sdk'; console.log(createClient)`,
  )
  assert.ok(gzipBytes < 18 * kib, `${gzipBytes} bytes`)
  // Used to select rollout versions; it is bundled into the package.
  const isHash = (path: string): boolean => path.startsWith('node_modules/@noble/hashes/')
  assert.deepEqual(
    inputs.filter((path) => path.includes('node_modules') && !isHash(path)),
    [],
  )
  for (const apart of ['render.ts', 'openai.ts', 'ai-sdk.ts', 'contract/src/interface/operations.ts']) {
    assert.ok(!inputs.some((path) => path.endsWith(apart)), apart)
  }
})

test('no entry point imports a Node module, so that all run in workers and browsers', async () => {
  for (const entry of [
    '',
    '/render',
    '/openai',
    '/anthropic',
    '/google',
    '/bedrock',
    '/langchain',
    '/ai-sdk',
    '/tests',
    '/gate',
  ]) {
    const { inputs, text } = await bundle(`export * from '@plumbline/sdk${entry}'`)
    assert.ok(inputs.length > 1)
    assert.doesNotMatch(
      text,
      /(?<![/\w.])(?:import|require)\s*\(|\bfrom\s*["']|(?<![/\w.])import\s*["']/,
      entry,
    )
  }
})

test('unused parts are left out', async () => {
  const { gzipBytes } = await bundle(
    `import { RequestFailed } from '@plumbline/sdk'; console.log(RequestFailed)`,
  )
  assert.ok(gzipBytes < kib, `${gzipBytes} bytes`)
})

test('a wrapper adds only itself', async () => {
  for (const entry of ['openai', 'anthropic', 'google', 'bedrock', 'langchain', 'ai-sdk', 'tests', 'gate']) {
    const { gzipBytes, inputs } = await bundle(`export * from '@plumbline/sdk/${entry}'`)
    assert.ok(gzipBytes < 4 * kib, `${entry}: ${gzipBytes} bytes`)
    assert.ok(!inputs.some((path) => path.endsWith('client/client.ts')))
  }
})

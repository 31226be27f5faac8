import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runInNewContext } from 'node:vm'
import { operations } from '@plumbline/contract'
import { build } from 'esbuild'
import { makeLivePrompt } from '../../../server/testing/test-app.ts'
import { startService } from '../testing.ts'

const { url, workspace } = await startService()
await makeLivePrompt(workspace)

/**
 * The globals of every platform with `fetch`, without Node: no process, no Buffer, no modules. `AbortSignal.any` is left out
 * because Vercel's edge runtime and older browsers do not have it.
 */
const webGlobals = {
  fetch,
  crypto,
  performance,
  AbortController,
  Blob,
  Headers,
  TextEncoder,
  URL,
  URLSearchParams,
  setTimeout,
  clearTimeout,
  console,
}

/** The `process` of Next.js's edge runtime: it has the environment, and throws on every other access. */
const edgeProcess = {
  env: {},
  get on(): never {
    throw new Error('A Node.js API is used (process.on) which is not supported in the Edge Runtime.')
  },
  get getBuiltinModule(): never {
    throw new Error('A Node.js API is used which is not supported in the Edge Runtime.')
  },
}

for (const [platform, globals] of [
  ['there is nothing but what the web has', webGlobals],
  ['the process throws at whoever looks at it', { ...webGlobals, process: edgeProcess }],
] as const)
  it(`the client works where ${platform}`, () => useClient(globals))

async function useClient(globals: object): Promise<void> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { createClient } from '@plumbline/sdk'
        globalThis.run = async (baseUrl, apiKey) => {
          const plumbline = createClient({ baseUrl, apiKey })
          const { prompt } = await plumbline.prompt('greeting')
          let recording
          const answer = await plumbline.trace({ name: 'worker' }, async (trace) => {
            recording = trace
            return trace.span({ name: 'inside' }, async () => prompt.text)
          })
          const stats = await plumbline.close()
          return { answer, delivered: stats.delivered, current: plumbline.current, id: (await recording.recorded()).trace.id }
        }`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    format: 'iife',
    platform: 'neutral',
    write: false,
  })
  const worker: Record<string, unknown> = { ...globals }
  runInNewContext(outputFiles[0]!.text, worker)
  const run = worker.run as (baseUrl: string, apiKey: string) => Promise<Record<string, string>>
  const { answer, delivered, current, id } = await run(url, workspace.key.secret)
  assert.deepEqual([answer, delivered, current], ['Say hello.', 2, undefined])
  const { trace } = await workspace.ok(operations.traces.get, { id: id! })
  assert.deepEqual([trace.output, trace.logs[1]!.name], ['Say hello.', 'inside'])
}

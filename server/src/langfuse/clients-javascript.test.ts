/** Langfuse's own JavaScript SDKs, unchanged, with the URL of this service and one of its keys. */
// One control plane is enough: the data that the SDKs write and read is tested on both elsewhere.
import { describe, it } from 'node:test'
import { checkDataset, checkPrompts, checkTrace, runApplication } from '../../testing/langfuse-clients.ts'
import { startTestApp } from '../../testing/test-app.ts'

const { newWorkspace, listen } = await startTestApp()
const url = await listen()
const program = process.execPath

describe("Langfuse's JavaScript SDK", () => {
  it('3: gets its prompts and datasets, and its batches become a trace that grows', async () => {
    const workspace = await newWorkspace()
    const printed = await runApplication(
      { program, file: 'batch-client.mjs', parameters: ['datasets'] },
      { url, workspace },
    )
    checkPrompts(printed)
    await checkTrace(printed, workspace, { environment: 'clients', release: '1.2.3', isBatch: true })
    await checkDataset(printed, workspace)
  })

  for (const major of ['4', '5'])
    it(`${major}: gets its prompts and datasets, and its spans become a trace with its scores`, async () => {
      const workspace = await newWorkspace()
      const application = { program, file: 'otel-client.mjs', parameters: [major, 'datasets'] }
      const printed = await runApplication(application, { url, workspace })
      checkPrompts(printed)
      await checkTrace(printed, workspace, { environment: 'clients', release: '1.2.3', k: '3' })
      await checkDataset(printed, workspace)
    })
})

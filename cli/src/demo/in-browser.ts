/** The sample data that the web app adds with a button, for which `npm run build` bundles this file. */
import { connect } from './client.ts'
import { fillWorkspace } from './fill-workspace.ts'

export interface SampleProgress {
  readonly recorded: number
  readonly toRecord: number
}

/** Fills the workspace that the page's own fetch is bound to. If it is run again, it adds only what is missing. */
export async function addSamples(
  { url, fetch }: { readonly url: string; readonly fetch: typeof globalThis.fetch },
  onProgress: (progress: SampleProgress) => void,
): Promise<void> {
  let recorded = 0
  await fillWorkspace({
    client: connect({ url, fetch }),
    connectAs: (key) => connect({ url, key }),
    seed: 1,
    traces: 400,
    days: 14,
    now: new Date(),
    onTraces(toRecord) {
      onProgress({ recorded, toRecord })
      return () => onProgress({ recorded: ++recorded, toRecord })
    },
  })
}

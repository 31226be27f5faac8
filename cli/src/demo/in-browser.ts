/** The sample data as the web app of a service adds it: `npm run build` bundles this file for its button. */
import { connect } from './client.ts'
import { fillWorkspace } from './fill-workspace.ts'

export interface SampleProgress {
  readonly recorded: number
  readonly toRecord: number
}

/** Fills the workspace that the page's own fetch is for. Run again, it adds only what is not there. */
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

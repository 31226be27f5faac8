/** Builds the web app once in minimal chunks, and tells the actual build which of them to merge. */
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite'
import { type ExactChunk, groupChunks } from './chunk-groups.ts'

/** The maximum number of files per screen, including its own, the frame and the entry. */
const chunksMax = 17
/** Screens with the most API requests may load fewer files. */
const busyScreens = [
  { file: /\/traces-screen\.tsx$/, chunksMax: 11 },
  { file: /\/dashboard-screen\.tsx$/, chunksMax: 9 },
] as const

/** Chunks that screens load themselves and show at once: side panels of a list, charts. */
const shownAtOnce = /\/(?:facet-side|time-plot)\.tsx$/

const screenFile = /-(?:screen|tab)\.tsx$/

/** `config` is the build configuration without this plugin. */
export function splitCode(config: InlineConfig): Plugin {
  return {
    name: 'split-code',
    apply: 'build',
    config: async () => {
      const chunks = await buildExactly(config)
      const filesMax = entriesOf(chunks, screenFile).map(
        ({ facadeModuleId }) =>
          busyScreens.find(({ file }) => file.test(facadeModuleId ?? ''))?.chunksMax ?? chunksMax,
      )
      const groups = groupChunks(exactChunks(chunks), (screen) => filesMax[screen] ?? chunksMax).map(
        (group) => group.flatMap(({ modules }) => modules),
      )
      const frame = chunks.filter(({ isEntry }) => isEntry).flatMap(({ moduleIds }) => moduleIds)
      const names = new Map([
        ...frame.map((id) => [id, 'frame'] as const),
        ...groups.flatMap((ids, index) => ids.map((id) => [id, `shared-${index}`] as const)),
      ])
      const group = {
        ...{ debugName: 'by screens', includeDependenciesRecursively: false },
        name: (id: string) => names.get(id) ?? null,
      }
      return { build: { rolldownOptions: { output: { codeSplitting: { groups: [group] } } } } }
    },
  }
}

/** Creates a file for each set of modules imported by the same files. */
async function buildExactly(config: InlineConfig): Promise<Rolldown.OutputChunk[]> {
  const groups = [
    { name: 'frame', tags: ['$initial' as const], priority: 1 },
    { name: 'shared', minShareCount: 2, entriesAware: true },
  ]
  const result = await build({
    ...config,
    configFile: false,
    logLevel: 'error',
    build: { ...config.build, write: false, rolldownOptions: { output: { codeSplitting: { groups } } } },
  })
  // Safe: the build has one output, and does not watch.
  const { output } = result as Rolldown.RolldownOutput
  return output.filter((file) => file.type === 'chunk')
}

const entriesOf = (chunks: readonly Rolldown.OutputChunk[], pattern: RegExp): Rolldown.OutputChunk[] =>
  chunks.filter(({ facadeModuleId }) => facadeModuleId !== null && pattern.test(facadeModuleId))

function exactChunks(chunks: readonly Rolldown.OutputChunk[]): ExactChunk[] {
  const chunkByFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const frame = entriesOf(chunks, /\/(?:index\.html|app\/layout\.tsx)$/)
  /** The files that block it, or all files until it is complete. */
  const filesOf = (screen: Rolldown.OutputChunk, isWhole: boolean): ReadonlySet<string> => {
    const files = new Set<string>()
    const visit = ({ fileName, imports, dynamicImports }: Rolldown.OutputChunk): void => {
      if (files.has(fileName)) return
      files.add(fileName)
      const atOnce = dynamicImports.filter(
        (file) => isWhole && shownAtOnce.test(chunkByFile.get(file)?.facadeModuleId ?? ''),
      )
      for (const file of [...imports, ...atOnce]) if (chunkByFile.has(file)) visit(chunkByFile.get(file)!)
    }
    for (const chunk of [...frame, screen]) visit(chunk)
    return files
  }
  const screens = entriesOf(chunks, screenFile)
  const screensWith = (fileName: string, files: readonly ReadonlySet<string>[]): ReadonlySet<number> =>
    new Set(files.flatMap((ofScreen, index) => (ofScreen.has(fileName) ? [index] : [])))
  const firstFiles = screens.map((screen) => filesOf(screen, false))
  const allFiles = screens.map((screen) => filesOf(screen, true))
  return chunks.map(({ fileName, code, imports, moduleIds, isEntry, isDynamicEntry }) => ({
    ...{ file: fileName, imports },
    modules: isEntry || isDynamicEntry ? [] : moduleIds.filter((id) => !id.includes('rolldown/runtime')),
    code,
    screens: screensWith(fileName, allFiles),
    waitingScreens: screensWith(fileName, firstFiles),
  }))
}

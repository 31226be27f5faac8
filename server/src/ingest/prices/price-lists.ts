/** The installation's price lists: lists newer than that of the release can be installed; older ones are never used. */
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { InstalledPriceList, PriceListStore } from '@plumbline/storage/control'
import { modelsIn, PriceListProblem, readPriceList } from '../usage/check-price-list.ts'
import {
  makePriceList,
  type PriceList,
  readShippedList,
  setPriceList,
  shippedPrices,
} from '../usage/price-list.ts'
import type { PriceListFile } from '../usage/price-list-file.ts'

interface PriceListsDeps {
  readonly store: PriceListStore
  /** Where this node keeps its copy for the threads. */
  readonly dataFolder: string
  /** Sets the file that the row-building threads compute with; undefined for the list of the release. */
  readonly setInWorkers: (path: string | undefined) => void
  /** A file or a URL; undefined if none is configured. */
  readonly source: string | undefined
  readonly now: () => Date
}

export interface ListedPriceList extends Omit<InstalledPriceList, 'installedAt'> {
  readonly installedAt: Date | undefined
  readonly isInUse: boolean
}

export interface PriceLists {
  /** Switches to the latest list that any node has installed. */
  refresh(): Promise<void>
  list(): Promise<ListedPriceList[]>
  /** The list of a version; undefined if there is none. */
  find(version: string): Promise<PriceList | undefined>
  /** Installs a list; throws an error that names the problem with it. */
  install(list: unknown, source: string): Promise<ListedPriceList>
  /** Whether the settings name a source of lists. */
  readonly hasSource: boolean
  /** Installs the list from the configured source. */
  update(): Promise<ListedPriceList>
}

const fetchTimeoutMs = 30_000

export function makePriceLists({ store, dataFolder, setInWorkers, source, now }: PriceListsDeps): PriceLists {
  let inUse: string | undefined
  const shippedVersion = (): string => shippedPrices().source().version

  const use = async (list: PriceListFile, copy: string): Promise<void> => {
    const path = join(dataFolder, copy)
    await writeFile(`${path}.new`, JSON.stringify(list))
    await rename(`${path}.new`, path)
    setPriceList(list)
    setInWorkers(path)
    inUse = copy
  }

  const refresh = async (): Promise<void> => {
    const latest = await store.latest()
    if (latest === undefined || latest.version <= shippedVersion()) return
    // A list that was installed again under the same version gets a file of its own, so that threads read it.
    const copy = `price-list-${latest.version}-${latest.installedAt.getTime()}.json`
    if (copy === inUse) return
    const content = await store.content(latest.version)
    if (content === undefined) return
    if (inUse === undefined) await removeCopies(dataFolder)
    await use(readPriceList(JSON.parse(content)), copy)
  }

  const list = async (): Promise<ListedPriceList[]> => {
    const installed = await store.list()
    const version = shippedVersion()
    const latest = installed[0]?.version ?? version
    const current = latest > version ? latest : version
    const shipped = {
      version,
      source: 'release',
      models: modelsIn(readShippedList()),
      installedAt: undefined,
      isInUse: current === version,
    }
    return [
      ...installed.map((each) => ({ ...each, isInUse: each.version === current && current !== version })),
      shipped,
    ].toSorted((first, second) => (first.version < second.version ? 1 : -1))
  }

  const install: PriceLists['install'] = async (value, origin) => {
    const checked = readPriceList(value)
    const { version } = checked
    await store.install(
      { version, source: origin, models: modelsIn(checked), content: JSON.stringify(checked) },
      now(),
    )
    await refresh()
    const installed = (await list()).find((each) => each.version === version && each.source === origin)
    if (installed === undefined) throw new Error('list: was replaced while it was installed')
    return installed
  }

  return {
    refresh,
    list,
    install,
    async find(version) {
      if (version === shippedVersion()) return shippedPrices()
      const content = await store.content(version)
      return content === undefined ? undefined : makePriceList(readPriceList(JSON.parse(content)))
    },
    hasSource: source !== undefined,
    async update() {
      if (source === undefined) throw new Error('The setting PLUMBLINE_PRICES does not name a price list.')
      const checked = readPriceList(await readSource(source))
      if (checked.version <= ((await store.latest())?.version ?? shippedVersion())) {
        const installed = (await list()).find(({ version }) => version === checked.version)
        if (installed !== undefined) return installed
      }
      return install(checked, source)
    },
  }
}

/** Removes the copies that an earlier process left. */
async function removeCopies(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /^price-list-.*\.json(?:\.new)?$/.test(name))
  for (const name of names) await rm(join(folder, name), { force: true })
}

async function readSource(source: string): Promise<unknown> {
  try {
    return JSON.parse(await textOf(source))
  } catch (error) {
    throw new PriceListProblem(`list: could not be read from ${source}: ${(error as Error).message}`)
  }
}

async function textOf(source: string): Promise<string> {
  if (!/^https?:/.test(source)) return readFile(source, 'utf8')
  const response = await fetch(source, { signal: AbortSignal.timeout(fetchTimeoutMs) })
  if (!response.ok) throw new Error(`it responded with ${response.status}`)
  return response.text()
}

/** `npm run bench -- --disk [folder]`: bytes on disk per byte received, once parts are merged. */
import { startChild } from './child.ts'
import type { DiskFigures, DiskLoad } from './disk-store.ts'
import { type Figure, print } from './print.ts'

const loads: readonly { readonly load: DiskLoad; readonly name: string; readonly atMost: number }[] = [
  { load: 'images', name: 'Random images in base64', atMost: 0.8 },
  { load: 'traces', name: 'Traces of instrumentations', atMost: 0.35 },
]

/** `folder` contains bodies of `POST /monitor/trace` as JSON files, to measure traces other than the captures. */
export async function measureDisk(folder: string | undefined): Promise<void> {
  for (const { load, name, atMost } of loads) {
    const child = await startChild<object, DiskFigures>('./disk-store.ts', [
      load,
      ...(folder === undefined ? [] : [folder]),
    ])
    const { receivedBytes, tables } = child.ready
    await child.stop()
    const ratioOf = (bytes: number): number => bytes / receivedBytes
    const storedTables = tables.filter(({ table }) => table !== 'spans')
    const total = storedTables.reduce((sum, { bytes }) => sum + bytes, 0)
    const figures: Figure[] = [
      { name: `${name}, received`, value: receivedBytes / 1e6, unit: 'MB', target: undefined },
      { name: '  on disk per byte', value: ratioOf(total), unit: '', target: { atMost } },
      ...tables.map(({ table, bytes, indexBytes }) => ({
        name: `    ${table}, of which search indexes ${ratioOf(indexBytes).toFixed(2)}`,
        ...{ value: ratioOf(bytes), unit: '', target: undefined },
      })),
    ]
    print(figures)
  }
}

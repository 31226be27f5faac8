import type { Input } from '../../app/api.ts'

/** The URL of `traces.export`, for a download with progress. */
export function exportAddress(input: Input<'traces.export'>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input)) {
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  return `/monitor/traces/export?${query}`
}

/** The selected traces as a condition of the list. */
export const chosenInput = (ids: Iterable<string>): { readonly where: string } => ({
  where: JSON.stringify([{ field: 'trace', is: [...ids] }]),
})

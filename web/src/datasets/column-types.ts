import type { Choice } from '../ui/form/select.tsx'
import type { Column } from './grid/row-types.ts'

/** Labels of the column types. */
export const columnTypes: readonly Choice<Column['type']>[] = [
  { value: 'text', label: 'Text' },
  { value: 'json', label: 'JSON' },
  { value: 'image', label: 'Image' },
  { value: 'file', label: 'File' },
]

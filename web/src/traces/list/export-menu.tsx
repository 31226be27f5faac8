/** Exports the list, or its selection, as a file. */
import { Download } from 'lucide-react'
import type { Input } from '../../app/api.ts'
import { useExport } from '../../app/use-export.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'
import { exportAddress } from './export-address.ts'

interface ExportMenuProps {
  /** The traces to export. */
  readonly input: Omit<Input<'traces.export'>, 'format'>
  readonly label: string
  /** The total, if it is known. */
  readonly count?: number | undefined
  readonly isSmall?: boolean
}

const formats = [
  { format: 'jsonl', label: 'JSON Lines, with logs' },
  { format: 'csv', label: 'CSV' },
  { format: 'parquet', label: 'Parquet' },
] as const

export function ExportMenu({ input, label, count, isSmall = false }: ExportMenuProps) {
  const start = useExport()
  return (
    <Menu
      trigger={
        isSmall ? (
          <Button size="small" icon={<Download aria-hidden size={14} />}>
            {label}
          </Button>
        ) : (
          <IconButton label={label} look="plain">
            <Download aria-hidden size={16} />
          </IconButton>
        )
      }
      items={formats.map(({ format, label: name }) => ({
        label: name,
        onSelect: () =>
          void start({
            address: exportAddress({ ...input, format }),
            fileName: `traces.${format}`,
            format: format === 'parquet' ? 'other' : format,
            records: 'traces',
            total: count,
          }),
      }))}
    />
  )
}

// biome-ignore-all lint/a11y/useSemanticElements: A table element cannot be virtualized.
// biome-ignore-all lint/a11y/useFocusableInteractive: The grid has the focus, and says which cell is active.
import type { ReactNode } from 'react'
import type { GridField } from './fields.ts'

interface GridHeaderProps {
  readonly fields: readonly GridField[]
  readonly template: string
  readonly checkbox: ReactNode
  readonly header: (field: GridField) => ReactNode
  readonly lastCell: ReactNode
}

/** The names of the columns; they stay while the rows scroll. */
export const GridHeader = ({ fields, template, checkbox, header, lastCell }: GridHeaderProps) => (
  <div
    role="rowgroup"
    className="sticky top-0 z-3 border-b border-line bg-surface text-xs font-medium text-ink-3"
  >
    <div
      role="row"
      aria-rowindex={1}
      className="grid h-9 items-stretch"
      style={{ gridTemplateColumns: template }}
    >
      <div
        role="columnheader"
        aria-label="Selection"
        className="sticky left-0 z-1 flex items-center border-r border-line bg-surface pl-4"
      >
        {checkbox}
      </div>
      {fields.map((field) => (
        <div
          key={field.id}
          role="columnheader"
          className="flex min-w-0 items-center border-r border-line px-2"
        >
          {header(field)}
        </div>
      ))}
      <div role="columnheader" aria-label="More columns" className="flex items-center justify-center">
        {lastCell}
      </div>
    </div>
  </div>
)

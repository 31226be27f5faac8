// biome-ignore-all lint/suspicious/noArrayIndexKey: New rows are identified by position only.
// biome-ignore-all lint/a11y/noNoninteractiveTabindex: What scrolls must be reached by keyboard.
/** A preview of rows before they are written. */
import { type GridField, type NewRow, textOf } from './fields.ts'

interface PreviewTableProps {
  readonly label: string
  readonly fields: readonly GridField[]
  readonly rows: readonly NewRow[]
}

const shownMax = 120

export function PreviewTable({ label, fields, rows }: PreviewTableProps) {
  const texts = rows.map((row) => fields.map((field) => textOf(asShown(row), field)))
  const used = fields.map((_, column) => texts.some((cells) => cells[column] !== ''))
  return (
    <section
      tabIndex={0}
      aria-label={label}
      className="max-h-72 overflow-auto rounded border border-line text-xs"
    >
      <table className="w-full border-collapse">
        <thead className="sticky top-0 bg-sunken text-left text-ink-3">
          <tr>
            {fields.map(
              (field, column) =>
                used[column] && (
                  <th key={field.id} scope="col" className="px-2 py-1.5 font-medium whitespace-nowrap">
                    {field.header}
                  </th>
                ),
            )}
          </tr>
        </thead>
        <tbody>
          {texts.map((cells, index) => (
            <tr key={index} className="border-t border-line">
              {cells.map(
                (text, column) =>
                  used[column] && (
                    <td key={fields[column]?.id} className="max-w-64 truncate px-2 py-1.5" dir="auto">
                      {text.slice(0, shownMax)}
                    </td>
                  ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const asShown = ({ values, name, idealOutput, metadata }: NewRow) => ({
  id: '',
  createdAt: '',
  values,
  ...(name != null && { name }),
  ...(idealOutput != null && { idealOutput }),
  ...(metadata != null && { metadata }),
})

import { useEffect, useState } from 'react'
import { useRead } from '../../app/api.ts'
import { Badge } from '../../ui/badge.tsx'
import { sentenceOf } from '../../ui/error-state.tsx'
import { Field, Input } from '../../ui/form/field.tsx'
import { Money } from '../../ui/text/values.tsx'

/** The debounce before a request. */
const pauseMs = 300

interface PriceLookupProps {
  /** As in the URL. */
  readonly model: string
  readonly onModel: (model: string | undefined) => void
}

/** The current price of a model, and its source. */
export function PriceLookup({ model, onModel }: PriceLookupProps) {
  const [modelName, setTyped] = useState(model)
  useEffect(() => {
    if (modelName.trim() === model) return
    const timer = setTimeout(() => onModel(modelName.trim() || undefined), pauseMs)
    return () => clearTimeout(timer)
  }, [modelName, model, onModel])
  const query = useRead('prices.find', { model }, { enabled: model !== '' })
  const price = model === '' ? undefined : query.data?.price
  return (
    <div className="flex flex-wrap items-end gap-x-6 gap-y-2">
      <div className="w-80 max-w-full">
        <Field label="Look up a model’s price per million tokens">
          <Input
            value={modelName}
            placeholder="gpt-4o"
            spellCheck={false}
            onChange={(event) => setTyped(event.currentTarget.value)}
            className="font-mono"
          />
        </Field>
      </div>
      <div aria-live="polite" className="flex min-h-8 flex-wrap items-center gap-x-6 gap-y-1 text-sm">
        {model !== '' && query.isError && <p className="text-bad">{sentenceOf(query.error).description}</p>}
        {price === null && (
          <p className="text-ink-2">No known price. Costs stay empty until you add one for this model.</p>
        )}
        {price && (
          <>
            <PriceFigure label="Input" value={price.inputPerMillion} />
            <PriceFigure label="Output" value={price.outputPerMillion} />
            <PriceFigure label="Cache read" value={price.cacheReadPerMillion} />
            <Badge tone={price.source === 'override' ? 'accent' : 'neutral'}>
              {price.source === 'override' ? 'your price' : 'price list'}
              {price.model !== model && `: ${price.model}`}
            </Badge>
          </>
        )}
      </div>
    </div>
  )
}

function PriceFigure({ label, value }: { readonly label: string; readonly value: number | undefined }) {
  return (
    <span>
      <span className="text-ink-3">{label} </span>
      <Money value={value} />
    </span>
  )
}

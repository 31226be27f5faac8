import { Counter, type Registry } from 'prom-client'

/** A limit, since the metric has a series for each name, and applications may invent any number of names. */
const namesMax = 500

/** Counts attributes that no convention understands, by name, at each assembly of their trace. */
export function makeAttributeCounter(registry: Registry): (counts: Readonly<Record<string, number>>) => void {
  const counter = new Counter({
    name: 'plumbline_otlp_attributes_not_understood_total',
    help: 'Span attributes that no convention understood, by name, counted each time their trace is assembled.',
    labelNames: ['name'],
    registers: [registry],
  })
  const names = new Set<string>()
  return (counts) => {
    for (const [name, count] of Object.entries(counts)) {
      const isCounted = names.has(name) || names.size < namesMax
      if (isCounted) names.add(name)
      counter.inc({ name: isCounted ? name : '(other)' }, count)
    }
  }
}

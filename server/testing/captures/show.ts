/** `node server/testing/captures/show.ts <name>`: prints the contents of a capture, span by span, as a basis for its expectation. */

import { readExports } from '../../../fixtures/captures/exports.ts'
import { readLogRecords, readSpans } from '../../src/ingest/otlp/receive/read-export.ts'
import type { Attributes, Span } from '../../src/ingest/otlp/span.ts'

const [name = '', length = '400'] = process.argv.slice(2)
const exports = readExports(name)
const encodingOf = (contentType: string) => (contentType.includes('json') ? 'json' : 'protobuf')
const spans = exports
  .filter(({ path }) => path.endsWith('/traces'))
  .flatMap(({ body, contentType }) => readSpans(body, encodingOf(contentType)).parts)
  .sort((a, b) => Number(a.startNs - b.startNs))
const additions = exports
  .filter(({ path }) => path.endsWith('/logs'))
  .flatMap(({ body, contentType }) => readLogRecords(body, encodingOf(contentType)).parts)

const clip = (value: unknown) => (JSON.stringify(value) ?? '').slice(0, Number(length))
const printAttributes = (attributes: Attributes, indent: string) => {
  for (const [key, value] of Object.entries(attributes)) console.log(`${indent}${key} = ${clip(value)}`)
}

function print(span: Span, depth: number): void {
  const indent = '    '.repeat(depth)
  const milliseconds = span.endNs === null ? 'running' : `${(span.endNs - span.startNs) / 1_000_000n} ms`
  console.log(
    `${indent}# ${span.name}  [${span.scope.name}] ${span.spanId} ${milliseconds} from ${span.startNs}`,
  )
  if (span.status.code !== 0)
    console.log(`${indent}  status ${span.status.code} ${clip(span.status.message)}`)
  printAttributes(span.attributes, `${indent}  `)
  const added = additions.filter(({ spanId }) => spanId === span.spanId).map(({ event }) => event)
  for (const event of [...span.events, ...added]) {
    console.log(`${indent}  @ ${event.name} ${event.timeNs}`)
    printAttributes(event.attributes, `${indent}      `)
  }
  for (const child of spans) if (child.parentSpanId === span.spanId) print(child, depth + 1)
}

console.log(clip(spans[0]?.resource))
const ids = new Set(spans.map(({ spanId }) => spanId))
for (const span of spans) {
  if (span.parentSpanId !== null && ids.has(span.parentSpanId)) continue
  console.log(`\n=== trace ${span.traceId}`)
  print(span, 0)
}

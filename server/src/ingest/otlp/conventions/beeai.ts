/** BeeAI: attributes without a prefix, besides those that its OpenInference instrumentation sets. */
import type { Convention } from '../facts.ts'

export const beeAi: Convention = {
  name: 'beeai',
  read(span) {
    if (!span.span.scope.name.includes('beeai') && !span.has('beeai.version')) return {}
    span.knows((key) =>
      /^(beeai\.|target$|name$|traceId$|iteration$|source$|history$|thought$|data$)/.test(key),
    )
    const reasoning = span.text('thought')
    return {
      input: span.structure('history'),
      output: reasoning === undefined ? undefined : { thought: reasoning },
    }
  },
}

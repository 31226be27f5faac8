/** Errors of any span, and the general conventions, which are understood but have no fields of their own. */

import type { AttributeReader } from '../attribute-reader.ts'
import type { Convention, SpanFacts } from '../facts.ts'
import { textOrUndefined } from '../json-value.ts'

export const openTelemetry: Convention = {
  name: 'opentelemetry',
  understands:
    /^(http|url|server|client|network|net|db|rpc|messaging|code|thread|exception|error|otel|user_agent|peer|process|faas|host|service|telemetry|deployment|cloud|container|k8s|os|enduser|user|session|aws|gcp|azure|anthropic|openai|sampling|langgraph|next|graphql|feature_flag)\./,
  read: (span) => ({ error: errorOf(span) }),
}

const unset = 0
const failed = 2

/** The error of a failed span. An exception on a span with status ok was handled, so it does not count. */
function errorOf(span: AttributeReader): SpanFacts['error'] {
  const { code, message } = span.span.status
  const type = span.text('error.type')
  const exception = span.events('exception', 'gen_ai.client.operation.exception').at(-1)
  const isFailed = code === failed || (code === unset && (type !== undefined || exception !== undefined))
  if (!isFailed) return undefined
  return {
    type: textOrUndefined(exception?.attributes['exception.type']) ?? type,
    message:
      textOrUndefined(message) ??
      textOrUndefined(exception?.attributes['exception.message']) ??
      span.text('error.message', 'logfire.msg'),
  }
}

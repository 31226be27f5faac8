/** Runs in its own process, since an instrumentation patches the OpenAI client of the whole process. */
import { OpenAIInstrumentation } from '@traceloop/instrumentation-openai'
import OpenAI from 'openai'
import { testInstrumentedOpenAI } from './instrumented-openai.ts'
import { startTracedService } from './traced-service.ts'

const service = await startTracedService('grpc')
const instrumentation = new OpenAIInstrumentation()
instrumentation.setTracerProvider(service.provider)
instrumentation.manuallyInstrument(OpenAI)

testInstrumentedOpenAI('Traceloop', service)

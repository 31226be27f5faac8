/** Ready-made evaluators. Those with a model still need a connection and a model. */
import type { EvaluatorTemplate } from '@plumbline/contract'
import {
  conciseness,
  correctness,
  faithfulness,
  judgeSystem,
  refusal,
  relevance,
  toxicity,
} from './rubrics.ts'

/** The part of a template that is the same in every workspace. */
type Template = Omit<EvaluatorTemplate, 'isTaken'>

type Facts = Pick<Template, 'slug' | 'name' | 'description' | 'needs'>

/** Temperature 0 makes verdicts as reproducible as the provider allows. */
const byModel = (facts: Facts, template: string, verdict: object): Template => ({
  ...facts,
  kind: 'llm',
  config: { systemTemplate: judgeSystem, template, verdict, temperature: 0 },
  version: 1,
})

const byRule = (facts: Facts, kind: Template['kind'], config: object = {}): Template => ({
  ...facts,
  kind,
  config: { ...config },
  version: 1,
})

const passes = { type: 'boolean' }
const grade = { type: 'numeric', min: 1, max: 5 }

/** In display order. Changing a template's prompt or rule requires a new version. */
export const evaluatorTemplates: readonly Template[] = [
  byModel(
    {
      slug: 'correctness',
      name: 'Correctness',
      description: 'Says the same as the ideal output, in any wording.',
      needs: ['input', 'output', 'idealOutput'],
    },
    correctness,
    passes,
  ),
  byModel(
    {
      slug: 'faithfulness',
      name: 'Faithfulness',
      description: 'Claims nothing that the retrieved context does not support.',
      needs: ['input', 'output', 'context'],
    },
    faithfulness,
    passes,
  ),
  byModel(
    {
      slug: 'relevance',
      name: 'Answer relevance',
      description: 'Addresses what was asked, from 1 to 5.',
      needs: ['input', 'output'],
    },
    relevance,
    grade,
  ),
  byModel(
    {
      slug: 'toxicity',
      name: 'No toxicity',
      description: 'Does not hurt, threaten or demean anyone.',
      needs: ['input', 'output'],
    },
    toxicity,
    passes,
  ),
  byModel(
    {
      slug: 'conciseness',
      name: 'Conciseness',
      description: 'Is as short as the question allows, from 1 to 5.',
      needs: ['input', 'output'],
    },
    conciseness,
    grade,
  ),
  byRule(
    {
      slug: 'tool-calls',
      name: 'Tool calls',
      description: 'Calls the tools named in the ideal output, with the arguments named there.',
      needs: ['idealOutput'],
    },
    'tool_calls',
  ),
  byModel(
    {
      slug: 'refusal',
      name: 'Refusal',
      description: 'Whether it answered, answered partly, or refused.',
      needs: ['input', 'output'],
    },
    refusal,
    { type: 'categorical', choices: ['answered', 'partly', 'refused'] },
  ),
  byRule(
    {
      slug: 'json-object',
      name: 'Format: a JSON object',
      description: 'Is a valid JSON object.',
      needs: ['output'],
    },
    'json_valid',
    { type: 'object' },
  ),
  byRule(
    {
      slug: 'no-personal-data',
      name: 'No personal data',
      description: 'Has no e-mail address, phone number, IBAN, card or social security number.',
      needs: ['output'],
    },
    'pii',
  ),
  byRule(
    {
      slug: 'no-secrets',
      name: 'No secrets',
      description: 'Has no API key, token or private key.',
      needs: ['output'],
    },
    'secrets',
  ),
]

/** The sales agent: a planner and researchers that call others, down to six levels. */
import { crmNotes, type Lead, leads } from '../material/leads.ts'
import { servedVersion } from '../material/prompts.ts'
import { type Run, startRun } from '../run.ts'
import { type PlannedRecord, type Scene, traceOf } from '../scene.ts'

export function* sales(scene: Scene, startMs: number): Generator<PlannedRecord> {
  const { random, people } = scene
  const person = people.salesPerson(random)
  const run = startRun(scene, startMs)
  const lead = random.pick(leads)
  const { pages, facts, mail, ...leadFacts } = lead
  let isWritten = false
  run.nest('span', 'sales-agent', { ...leadFacts }, () => {
    run.generate({
      name: 'plan',
      prompt: 'sales-plan',
      variables: { lead: leadFacts, notes: lead.notes ?? '' },
      output: {
        steps: [
          { tool: 'crm_lookup', why: 'What do we know?' },
          { tool: 'search_web', why: 'Who are they?' },
        ],
      },
      reasoningTokens:
        servedVersion('sales-plan', run.progress).model === 'gpt-5' ? random.int(400, 2600) : 0,
    })
    run.step('tool', 'crm_lookup', 180, {
      input: { company: lead.company },
      output: { note: random.pick(crmNotes) },
    })
    run.nest('span', 'research-agent', { company: lead.company }, () => {
      research(run, lead)
      run.generate({
        name: 'facts',
        prompt: 'sales-research',
        variables: { company: lead.company, industry: lead.industry, pages },
        output: facts.join('\n'),
      })
      return { output: [...facts] }
    })
    const tag = random.chance(0.15) ? 'ab-test' : undefined
    isWritten = run.generate({
      name: 'write-mail',
      prompt: 'sales-email',
      ...(tag === undefined ? {} : { tag }),
      variables: {
        contact: lead.contact,
        company: lead.company,
        role: lead.role,
        facts,
        language: lead.language,
      },
      output: mail,
      cached: 0.1,
    })
    if (isWritten)
      run.step('event', 'draft-ready', 2, { output: { to: lead.contact, words: mail.split(/\s+/).length } })
    return isWritten ? { output: mail } : { output: null, metadata: { error: 'No draft: the model failed.' } }
  })
  const body = traceOf(scene, run, person, {
    name: `First mail to ${lead.company}`,
    featureSlug: 'sales-agent',
    input: { ...leadFacts },
    output: isWritten ? mail : null,
    metadata: {
      industry: lead.industry,
      language: lead.language,
      agentVersion: run.progress > 0.5 ? '0.9' : '0.8',
    },
    evaluationConfig: { sampleRate: 1 },
    evaluators: [{ slug: 'mail-length' }],
  })
  const scores =
    isWritten && random.chance(0.4)
      ? [
          { name: 'sent-unchanged', value: random.chance(0.45) },
          ...(random.chance(0.3)
            ? [{ name: 'rating', value: random.int(2, 5), comment: 'Sounds like us.' }]
            : []),
        ]
      : []
  yield { type: 'trace', body, scores }
}

/** A search, then a reader for each page, which may call another to check who the page is about. */
function research(run: Run, lead: Lead): void {
  const { random } = run
  run.nest('tool', 'search_web', { query: `${lead.company} ${lead.industry}` }, () => {
    run.step('function', 'http.get', 420, {
      input: { url: 'https://search.example/q' },
      output: { status: 200 },
    })
    return { output: lead.pages.map(({ title, url }) => ({ title, url })) }
  })
  for (const page of lead.pages) {
    run.nest('span', 'page-reader', { url: page.url }, () => {
      const isGone = random.chance(0.05)
      run.nest('tool', 'read_page', { url: page.url }, () => {
        run.step('function', 'http.get', 650, {
          input: { url: page.url },
          ...(isGone
            ? { output: null, metadata: { error: '403 Forbidden: robots are not welcome.' } }
            : { output: { status: 200, bytes: random.int(9000, 220_000) } }),
        })
        if (isGone) return { output: null, metadata: { error: 'The page could not be read.' } }
        run.nest('function', 'extract-text', { html: '<!doctype html>…' }, () => {
          run.generate({
            name: 'same-company?',
            model: 'gpt-4.1-mini',
            messages: [
              {
                role: 'user',
                content: `Is this page about ${lead.company} (${lead.industry})? Answer yes or no.\n\n${page.text}`,
              },
            ],
            output: page.title.includes('timber') ? 'no' : 'yes',
          })
          return { output: page.text }
        })
        return { output: { title: page.title, text: page.text } }
      })
      return { output: page.text }
    })
  }
}

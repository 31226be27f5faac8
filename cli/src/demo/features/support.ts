/** The support chat: sessions of several turns, each of which sends the conversation so far again. */
import type { Trace } from '@plumbline/sdk'
import { fill, fillIn, type Slots } from '../material/fill.ts'
import { servedVersion } from '../material/prompts.ts'
import {
  carriers,
  cities,
  comments,
  conversations,
  products,
  type SupportConversation,
  type SupportTurn,
} from '../material/support.ts'
import type { Person } from '../people.ts'
import { type Run, startRun } from '../run.ts'
import { type PlannedRecord, type PlannedScore, type Scene, traceOf } from '../scene.ts'

interface Message {
  readonly role: string
  readonly content: string
}

const apology = 'Sorry, I cannot answer at the moment. A colleague will write to you here.'

export function* support(scene: Scene, startMs: number): Generator<PlannedRecord> {
  const { random, calendar, people } = scene
  const opening = random.pick(conversations)
  const person = people.customerSpeaking(opening.language, random)
  const sessionId = `chat_${random.hex(12)}`
  const turns = turnsOf(scene, opening, person, startMs)
  const history: Message[] = []
  let clockMs = startMs
  for (const [index, { turn, conversation, slots }] of turns.entries()) {
    const run = startRun(scene, clockMs)
    const question = fill(random.pick(turn.user), slots)
    const answer = answerTurn({
      run,
      turn,
      question,
      history,
      conversation,
      slots,
      person,
      isFirst: index === 0,
    })
    const body: Trace = traceOf(scene, run, person, {
      name: 'Support chat',
      featureSlug: 'support-chat',
      input: question,
      output: answer,
      metadata: {
        sessionId,
        turn: index + 1,
        channel: random.chance(0.8) ? 'widget' : 'e-mail',
        language: conversation.language,
        plan: person.plan,
      },
      evaluators: [{ slug: 'support-helpful' }, ...(random.chance(0.3) ? [{ slug: 'no-promises' }] : [])],
    })
    yield { type: 'trace', body, scores: scoresOf(scene, run, answer, index === turns.length - 1) }
    history.push({ role: 'user', content: question }, { role: 'assistant', content: answer })
    // The merchant reads the answer, tries it, and returns.
    clockMs = Date.parse(run.time()) + random.around(75_000, 0.8)
    if (clockMs > calendar.endMs) return
  }
}

/** The turns of a session: the opening conversation or its first question, sometimes with further topics. */
function turnsOf(scene: Scene, opener: SupportConversation, person: Person, startMs: number) {
  const { random } = scene
  const others = conversations.filter((other) => other.language === opener.language && other !== opener)
  const topics = [opener]
  while (others.length > 0 && topics.length < 6 && random.chance(0.16)) topics.push(random.pick(others))
  const turns = topics.flatMap((conversation) => {
    const slots = slotsFor(scene, person, startMs)
    return conversation.turns.map((turn) => ({ turn, conversation, slots }))
  })
  return random.chance(0.2) ? turns.slice(0, 1) : turns
}

interface Turn {
  readonly run: Run
  readonly turn: SupportTurn
  readonly question: string
  readonly history: readonly Message[]
  readonly conversation: SupportConversation
  readonly slots: Slots
  readonly person: Person
  readonly isFirst: boolean
}

/** Adds the logs of one turn, and returns the reply to the merchant. */
function answerTurn({ run, turn, question, history, conversation, slots, person, isFirst }: Turn): string {
  const { random } = run
  const version = servedVersion('support-answer', run.progress)
  const messages: { role: string; content: unknown }[] = [
    { role: 'system', content: version.systemText ?? '' },
    ...history,
    { role: 'user', content: question },
  ]
  const answer = fill(turn.answer, slots)
  const variables = { question, history, customer_name: person.user.name, plan: person.plan }
  const isReasoning = version.model === 'gpt-5-mini'
  let reply = apology
  run.nest('span', 'support-agent', question, () => {
    if (isFirst) {
      run.generate({
        name: 'triage',
        prompt: 'support-triage',
        variables: { message: question, language: conversation.language },
        output: JSON.stringify({ topic: conversation.topic, urgent: conversation.isUrgent ?? false }),
        isUncounted: true,
      })
    }
    if (turn.tool !== undefined) {
      const call = {
        id: `call_${random.hex(8)}`,
        name: turn.tool.name,
        arguments: fillIn(turn.tool.input, slots),
      }
      run.generate({
        name: 'decide',
        prompt: 'support-answer',
        messages,
        variables,
        output: { role: 'assistant', content: null, tool_calls: [toolCall(call)] },
        cached: isFirst ? 0 : 0.6,
        reasoningTokens: isReasoning ? random.int(0, 64) : 0,
      })
      const output = fillIn(turn.tool.output, slots) as Record<string, unknown>
      const isDown = random.chance(0.015)
      run.step('tool', turn.tool.name, 140, {
        input: call.arguments as Record<string, unknown>,
        ...(isDown
          ? {
              output: null,
              metadata: { error: `GET /v2/${turn.tool.name.replace('_', '/')} answered 502 Bad Gateway` },
            }
          : { output, metadata: { region: 'eu-central-1', cacheHit: random.chance(0.2) } }),
      })
      messages.push(
        { role: 'assistant', content: [toolCall(call)] },
        { role: 'tool', content: isDown ? '{"error":"unavailable"}' : JSON.stringify(output) },
      )
    }
    const generation = {
      name: 'answer',
      prompt: 'support-answer',
      messages,
      variables,
      output: answer,
      isStreamed: true,
      cached: turn.tool !== undefined || !isFirst ? 0.7 : 0,
      reasoningTokens: isReasoning ? random.int(20, 160) : 0,
    }
    const isAnswered = run.generate(generation) || run.generate({ ...generation, metadata: { attempt: 2 } })
    if (isAnswered) reply = answer
    if (turn.isHandOver || !isAnswered) {
      run.generate({
        name: 'summary',
        prompt: 'support-summary',
        messages: 'rendered',
        variables: { turns: [...history, { role: 'merchant', content: question }] },
        output: `${person.user.name} (${person.organization.name}, ${person.plan}) asks about: ${question} ${isAnswered ? 'They were told that a colleague takes over.' : 'The model did not answer, so nothing was promised.'}`,
      })
      run.step('event', 'handed-over', 5, { output: { to: 'billing', waitingMinutes: random.int(2, 45) } })
    }
    return { output: reply, ...(isAnswered ? {} : { metadata: { error: 'The model failed twice.' } }) }
  })
  return reply
}

const toolCall = ({ id, name, arguments: input }: { id: string; name: string; arguments: unknown }) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
})

function slotsFor({ random }: Scene, person: Person, startMs: number): Slots {
  const product = random.pick(products)
  return {
    order: `#${random.int(10_000, 99_999)}`,
    product: product.title,
    sku: product.sku,
    carrier: random.pick(carriers),
    city: random.pick(cities),
    tracking: `${random.int(10, 99)}${random.hex(10).toUpperCase()}`,
    date: new Date(startMs - random.int(1, 6) * 86_400_000).toISOString().slice(0, 10),
    amount: (random.int(390, 18_900) / 100).toFixed(2),
    plan: person.plan,
  }
}

/** Feedback: some merchants rate the session, and fewer add a comment. */
function scoresOf({ random }: Scene, run: Run, answer: string, isLast: boolean): PlannedScore[] {
  const scores: PlannedScore[] = []
  if (isLast && random.chance(0.22)) {
    const isHelpful =
      answer !== apology && random.chance(run.progress > 0.24 && run.progress < 0.31 ? 0.55 : 0.84)
    scores.push({
      name: 'helpful',
      value: isHelpful,
      ...(random.chance(0.35) ? { comment: random.pick(isHelpful ? comments.good : comments.bad) } : {}),
    })
  }
  if (random.chance(0.06)) {
    scores.push({
      name: 'tone',
      value: random.weighted([
        { value: 'friendly', weight: 6 },
        { value: 'neutral', weight: 4 },
        { value: 'curt', weight: run.progress > 0.24 && run.progress < 0.31 ? 6 : 1 },
      ]).value,
      logId: run.logs.findLast(({ name }) => name === 'answer')?.id,
    })
  }
  return scores
}

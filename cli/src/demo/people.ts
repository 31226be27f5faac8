/** Who uses the applications: a few large customers, many small ones, and the company's own people. */
import type { Organization, User } from '@plumbline/sdk'
import { names, organizations } from './material/organizations.ts'
import { makeRandom, type Random } from './random.ts'

export type Language = keyof typeof names

export interface Person {
  readonly user: User
  readonly organization: Organization
  readonly language: Language
  readonly plan: string
  /** How often this person turns up, beside the others. */
  readonly weight: number
}

export interface People {
  customer(random: Random): Person
  /** A customer who speaks the language, if there is one. */
  customerSpeaking(language: Language, random: Random): Person
  developer(random: Random): Person
  salesPerson(random: Random): Person
}

/** Of the customers; the company's own people come on top. */
const customerCount = 180

/** The same people for the same seed. */
export function makePeople(seed: number): People {
  const random = makeRandom(seed, 1)
  const taken = new Set<string>()
  const person = (of: (typeof organizations)[number], rank: number): Person => {
    const { first, last } = names[of.language]
    let name = ''
    // Where a language has no names left, two people have the same, as in life.
    do name = nameOf(random.pick(first), random.pick(last), of.language)
    while (taken.has(name) && taken.size < first.length * last.length)
    taken.add(name)
    return {
      user: { id: `usr_${random.hex(10)}`, name },
      organization: { id: of.id, name: of.name },
      language: of.language,
      plan: of.plan,
      weight: 1 / (rank + 1) ** 0.85,
    }
  }
  const [own, ...customers] = organizations
  const ranked = customers.map((organization, rank) => ({ organization, weight: 1 / (rank + 1) ** 0.8 }))
  const everyone = Array.from({ length: customerCount }, (_, rank) =>
    // Each organization has someone; after that the large ones have more.
    person((ranked[rank] ?? random.weighted(ranked)).organization, rank),
  )
  const developers = Array.from({ length: 14 }, (_, rank) => person(own!, rank))
  const salesPeople = Array.from({ length: 6 }, (_, rank) => person(own!, rank))
  const bySpeech = Map.groupBy(everyone, ({ language }) => language)
  return {
    customer: (draw) => draw.weighted(everyone),
    customerSpeaking: (language, draw) => draw.weighted(bySpeech.get(language) ?? everyone),
    developer: (draw) => draw.weighted(developers),
    salesPerson: (draw) => draw.weighted(salesPeople),
  }
}

const nameOf = (first: string, last: string, language: Language): string =>
  language === 'ja' || language === 'zh'
    ? `${last}${language === 'ja' ? ' ' : ''}${first}`
    : `${first} ${last}`

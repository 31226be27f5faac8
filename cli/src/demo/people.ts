/** The users of the applications: a few large customers, many small ones, and the company's own people. */
import type { Organization, User } from '@plumbline/sdk'
import { type DemoOrganization, type Language, names, organizations } from './material/organizations.ts'
import { makeRandom, type Random } from './random.ts'

export interface Person {
  readonly user: User
  readonly organization: Organization
  readonly language: Language
  readonly plan: string
  /** Relative frequency of this person. */
  readonly weight: number
}

export interface People {
  customer(random: Random): Person
  /** A customer who speaks the language, or any customer if there is none. */
  customerSpeaking(language: Language, random: Random): Person
  developer(random: Random): Person
  salesPerson(random: Random): Person
}

/** Without the company's own people. */
const customerCount = 180

/** The same people for the same seed. */
export function makePeople(seed: number): People {
  const setupRandom = makeRandom(seed, 1)
  const usedNames = new Set<string>()
  const person = ({ id, name: organizationName, language, plan }: DemoOrganization, rank: number): Person => {
    const { first, last } = names[language]
    let name = ''
    // If all names of a language are in use, two people share one.
    do name = nameOf(setupRandom.pick(first), setupRandom.pick(last), language)
    while (usedNames.has(name) && usedNames.size < first.length * last.length)
    usedNames.add(name)
    return {
      user: { id: `usr_${setupRandom.hex(10)}`, name },
      organization: { id, name: organizationName },
      language,
      plan,
      weight: 1 / (rank + 1) ** 0.85,
    }
  }
  const [ownOrganization, ...customerOrganizations] = organizations
  const ranked = customerOrganizations.map((organization, rank) => ({
    organization,
    weight: 1 / (rank + 1) ** 0.8,
  }))
  const customers = Array.from({ length: customerCount }, (_, rank) =>
    // Each organization has one person; further people belong mostly to the large ones.
    person((ranked[rank] ?? setupRandom.weighted(ranked)).organization, rank),
  )
  const developers = Array.from({ length: 14 }, (_, rank) => person(ownOrganization!, rank))
  const salesPeople = Array.from({ length: 6 }, (_, rank) => person(ownOrganization!, rank))
  const byLanguage = Map.groupBy(customers, ({ language }) => language)
  return {
    customer: (random) => random.weighted(customers),
    customerSpeaking: (language, random) => random.weighted(byLanguage.get(language) ?? customers),
    developer: (random) => random.weighted(developers),
    salesPerson: (random) => random.weighted(salesPeople),
  }
}

const nameOf = (first: string, last: string, language: Language): string =>
  language === 'ja' || language === 'zh'
    ? `${last}${language === 'ja' ? ' ' : ''}${first}`
    : `${first} ${last}`

/** The company whose applications are recorded (first), its customers by size, and the names of their people. */
import peopleData from '../../../../fixtures/demo/people.json' with { type: 'json' }

export type Language = keyof typeof peopleData.names

export interface DemoOrganization {
  readonly id: string
  readonly name: string
  readonly language: Language
  readonly plan: string
}

export const names: Readonly<
  Record<Language, { readonly first: readonly string[]; readonly last: readonly string[] }>
> = peopleData.names
// Safe: a test checks the languages.
export const organizations = peopleData.organizations as readonly DemoOrganization[]

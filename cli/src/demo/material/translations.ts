/** Product texts of merchants, with their translations. */
import translationData from '../../../../fixtures/demo/translations.json' with { type: 'json' }

export interface ProductText {
  readonly sku: string
  readonly source: string
  /** Translations by language. */
  readonly to: Readonly<Record<string, string>>
  readonly glossary?: readonly { readonly source: string; readonly target: string }[]
}

// Safe: each text is a record of the languages that it was translated into.
export const productTexts = translationData as readonly unknown[] as readonly ProductText[]

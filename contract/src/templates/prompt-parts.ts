/**
 * Parts that prompts share: `{% include "tone" %}` stands for the text of the prompt `tone`. The service puts it there
 * when it serves a version, so that whoever renders gets one template.
 */
import { slugOfName } from '../prompts/langfuse-prompts.ts'

/** A prompt whose text stands in another one. */
export interface PartReference {
  readonly slug: string
  /** A version or a tag; that in production when absent. */
  readonly selector: string | undefined
}

/** `{% include "slug" %}` and `{% include "slug@selector" %}`. */
const include = /\{%-?\s*include\s+(?:"([^"]*)"|'([^']*)')\s*-?%\}/g
/** How Langfuse writes it. */
const langfuseReference = /@@@langfusePrompt:name=([^|@]+)(?:\|(?:version|label)=([^|@]+))?@@@/g

/** The parts that a template names, in their order. */
export function partsIn(template: string): PartReference[] {
  const references: PartReference[] = []
  replaceParts(template, (reference) => {
    references.push(reference)
    return ''
  })
  return references
}

/** The template with a text in the place of each part. */
export function replaceParts(template: string, textOf: (reference: PartReference) => string): string {
  if (!template.includes('include') && !template.includes('@@@langfusePrompt:')) return template
  return template
    .replaceAll(include, (_match, double?: string, single?: string) => {
      const [slug = '', ...selector] = (double ?? single ?? '').split('@')
      return textOf({ slug, selector: selector.join('@') || undefined })
    })
    .replaceAll(langfuseReference, (_match, name: string, selector?: string) =>
      textOf({ slug: slugOfName(name), selector }),
    )
}

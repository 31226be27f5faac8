import type { Template, TemplateCache } from '@plumbline/contract/templates'
import { LRUCache } from 'lru-cache'

/** A cache of at most 500 templates and 4 Mi characters of them, the least used forgotten first. */
export function createTemplateCache(): TemplateCache {
  return new LRUCache<string, Template>({
    max: 500,
    maxSize: 2 ** 22,
    sizeCalculation: (_template, text) => text.length + 1,
  })
}

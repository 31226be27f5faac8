import type { Template, TemplateCache } from '@plumbline/contract/templates'
import { LRUCache } from 'lru-cache'

/** An LRU cache of at most 500 templates with 4 Mi characters in total. */
export function createTemplateCache(): TemplateCache {
  return new LRUCache<string, Template>({
    max: 500,
    maxSize: 2 ** 22,
    sizeCalculation: (_template, text) => text.length + 1,
  })
}

/**
 * Markdown that came from a model or a user: text only. No HTML, no executable URLs, and no remote images, since
 * loading them would reveal the reader to their host.
 */
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { safeImage, safeLink } from './safe-address.ts'

const components: Components = {
  // The page has its own headings, so those of a text are lower.
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  a: ({ href, children }) => {
    const address = safeLink(href)
    return address === undefined ? (
      <span>{children}</span>
    ) : (
      <a
        href={address}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="text-accent-ink underline"
      >
        {children}
      </a>
    )
  },
  img: ({ src, alt }) => {
    const address = typeof src === 'string' ? src : undefined
    const image = safeImage(address)
    if (image !== undefined) {
      return <img src={image} alt={alt ?? ''} className="max-h-96 max-w-full rounded border border-line" />
    }
    const link = safeLink(address)
    return link === undefined ? (
      <span>{alt}</span>
    ) : (
      <a href={link} target="_blank" rel="noopener noreferrer nofollow" className="text-accent-ink underline">
        Image: {alt === undefined || alt === '' ? link : alt}
      </a>
    )
  },
}

export function Markdown({ text }: { readonly text: string }) {
  return (
    <div className="markdown prose-width text-base break-words">
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        components={components}
        // Each URL is checked where it is used.
        urlTransform={(address) => address}
      >
        {text}
      </ReactMarkdown>
    </div>
  )
}

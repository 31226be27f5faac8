/** The texts for a link that was mailed, or must be sent manually. Pure. */
import type { OneTimeLink } from './link-dialog.tsx'

interface LinkResponse {
  readonly url: string
  readonly mail: { readonly isSent: boolean; readonly problem?: string } | null
}

/** `note` describes the link and its expiry. */
export function mailedLink({ url, mail }: LinkResponse, recipient: string, note: string): OneTimeLink {
  if (mail === null)
    return { url, title: `Send this link to ${recipient}`, hint: `You won’t see it again. ${note}` }
  if (mail.isSent)
    return {
      url,
      title: `Sent to ${recipient}`,
      hint: `The link is in the mail. ${note} You can copy it here too; you won’t see it again.`,
      isSent: true,
    }
  return {
    url,
    title: `The mail to ${recipient} could not be sent`,
    hint: `${mail.problem ?? 'The mail server does not say why.'} Copy the link and send it yourself; you won’t see it again. ${note}`,
  }
}

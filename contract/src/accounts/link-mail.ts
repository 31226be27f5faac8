import { type Static, Type } from 'typebox'
import { Nullable } from '../interface/shapes.ts'

/** What became of the e-mail with a link that works once. */
export const LinkMail = Nullable(
  Type.Object(
    {
      isSent: Type.Boolean({ description: 'Whether the mail server has accepted it.' }),
      problem: Type.Optional(Type.String({ description: 'Why it was not sent; only then.' })),
    },
    {
      description:
        'What became of the e-mail with the link; null where the service mails no links, because `SMTP_URL` or `PLUMBLINE_PUBLIC_URL` is not set.',
    },
  ),
)
export type LinkMail = Static<typeof LinkMail>

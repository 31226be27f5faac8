import { type Static, Type } from 'typebox'
import { Nullable } from '../interface/shapes.ts'

/** The delivery of the e-mail with a single-use link. */
export const LinkMail = Nullable(
  Type.Object(
    {
      isSent: Type.Boolean({ description: 'Whether the mail server accepted it.' }),
      problem: Type.Optional(Type.String({ description: 'Why it was not sent; absent if it was.' })),
    },
    {
      description:
        'Delivery of the e-mail with the link; null if the service mails no links because `SMTP_URL` or `PLUMBLINE_PUBLIC_URL` is not set.',
    },
  ),
)
export type LinkMail = Static<typeof LinkMail>

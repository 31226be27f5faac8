import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { delete as remove } from './delete.ts'
import { get } from './get.ts'
import { makeSign } from './sign.ts'
import type { UploadSigner } from './upload-signature.ts'

export const fileRoutes = (signer: UploadSigner, bytesMax: number): Route[] => [
  route(operations.files.sign, makeSign(signer, bytesMax)),
  route(operations.files.get, get),
  route(operations.files.delete, remove),
]

import { getKycDocument, resealKycDocument } from '../../../contract/console/kyc.ts'
import { computeRecipientFingerprint, listRecipients } from '../../../contract/identity/kyc.ts'
import { AGE_TYPE } from '../../../contract/uploads.ts'
import { ApiFailure } from '../../lib/ApiFailure.ts'
import { AgeFault } from '../../lib/age/AgeFault.ts'
import { newKeyPair } from '../../lib/age/age.ts'
import { lockIdentity } from '../../lib/age/passphrase.ts'
import { reseal } from '../../lib/age/reseal.ts'
import { call, callBlob } from '../../lib/api.ts'
import { keychain } from '../cases/keychain.ts'
import { type OutdatedDocument, type ResealResult, resealAll } from './resealAll.ts'

/** A key as the server stores it: the public key, and the private key encrypted with the passphrase. */
export interface LockedKey {
  recipient: string
  identity: string
}

/** Creates a key and encrypts its private key. The plain private key is not kept. */
export async function newLockedKey(
  passphrase: string,
  onProgress: (share: number) => void,
): Promise<LockedKey> {
  const { identity, recipient } = await newKeyPair()
  return { recipient, identity: await lockIdentity(identity, passphrase, onProgress) }
}

/** Reseals documents with the keys that are unlocked on this page. */
export function resealInBrowser(
  documents: readonly OutdatedDocument[],
  onProgress: (count: number) => void,
): Promise<ResealResult> {
  return resealAll(
    documents,
    {
      identityFor: keychain.identityFor,
      load: () => call(listRecipients),
      fetch: async (id) => {
        const sealed = await callBlob(getKycDocument, { params: { id } })
        return new Uint8Array(await sealed.arrayBuffer())
      },
      reseal: (age, identity, recipients) =>
        reseal(age, identity, recipients).catch((error: unknown) => {
          throw error instanceof AgeFault ? new ApiFailure(0, { code: error.reason, msg: ALTERED }) : error
        }),
      put: async (id, age, recipients) => {
        const keys = await Promise.all(
          recipients.map(({ recipient }) => computeRecipientFingerprint(recipient)),
        )
        const image = new File([new Uint8Array(age)], 'document.age', { type: AGE_TYPE })
        const body = { recipients: keys.join() }
        return call(resealKycDocument, { params: { id }, body, files: { image }, quiet: true })
      },
    },
    onProgress,
  )
}

const ALTERED = 'It was changed after it was encrypted, or is incomplete, and cannot be encrypted again.'

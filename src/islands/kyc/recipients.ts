import { listRecipients, type Recipient, recipientFingerprint } from '../../contract/recipients.ts'
import { call } from '../lib/api.ts'

/** The keys to encrypt a document to, with the fingerprints of what really came. A failure is in a toast unless `quiet`. */
export async function loadRecipients(quiet = true): Promise<readonly Recipient[]> {
  return Promise.all(
    (await call(listRecipients, { quiet })).map(async (key) => ({
      ...key,
      fingerprint: await recipientFingerprint(key.recipient),
    })),
  )
}

import { newKeyPair } from '../../lib/age/age.ts'
import { lockIdentity } from '../../lib/age/passphrase.ts'

/** A key as the server keeps it: what to encrypt to, and what opens that, locked. */
export interface LockedKey {
  recipient: string
  identity: string
}

/** Makes a key and locks its private half. The unlocked one is forgotten as soon as this has ended. */
export async function newLockedKey(
  passphrase: string,
  onProgress: (share: number) => void,
): Promise<LockedKey> {
  const { identity, recipient } = await newKeyPair()
  return { recipient, identity: await lockIdentity(identity, passphrase, onProgress) }
}

import { newKeyPair } from '../../lib/age/age.ts'
import { lockIdentity } from '../../lib/age/passphrase.ts'

/** A key as the server keeps it: the public half, and the private half locked with the passphrase. */
export interface LockedKey {
  recipient: string
  identity: string
}

/** Makes a key and locks its private half. Nothing keeps the unlocked half. */
export async function newLockedKey(
  passphrase: string,
  onProgress: (share: number) => void,
): Promise<LockedKey> {
  const { identity, recipient } = await newKeyPair()
  return { recipient, identity: await lockIdentity(identity, passphrase, onProgress) }
}

import { generateX25519Identity, identityToRecipient } from 'age-encryption'

export interface KeyPair {
  /** `AGE-SECRET-KEY-1…`: whoever has it opens all that is sealed to its recipient. */
  identity: string
  /** `age1…`: public. */
  recipient: string
}

/** A new key of a reviewer. X25519 and not the post-quantum kind, whose recipients the server would not count. */
export async function newKeyPair(): Promise<KeyPair> {
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

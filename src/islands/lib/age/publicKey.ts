import { bech32 } from '@scure/base'

/** The 32 bytes of the X25519 key in an age recipient. Throws for anything else, such as a post-quantum recipient. */
export function publicKeyOf(recipient: string): Uint8Array {
  const { prefix, bytes } = bech32.decodeToBytes(recipient)
  if (prefix !== 'age' || bytes.length !== 32) throw new Error('This is not an X25519 recipient.')
  return bytes
}

import { bech32 } from '@scure/base'
import { AGE_RECIPIENT } from '../../../src/contract/money/recipients.ts'

/** Whether a text is an X25519 recipient of `age`, its checksum right: 32 bytes in Bech32 (BIP 173) under `age`. */
export function isAgeRecipient(text: string): boolean {
  if (!AGE_RECIPIENT.test(text)) return false
  try {
    const { prefix, bytes } = bech32.decodeToBytes(text)
    return prefix === 'age' && bytes.length === 32
  } catch {
    return false
  }
}

import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { scryptAsync } from '@noble/hashes/scrypt.js'
import { concatBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64nopad } from '@scure/base'
import { armor, Decrypter, Encrypter, type Identity, type Recipient, Stanza } from 'age-encryption'
import { AgeFault } from './AgeFault.ts'

/**
 * Encrypts an identity with a passphrase and returns an armored age file. The server stores it but cannot read it; the
 * `age` command can open it, too. Slow on purpose: a second or more. The page stays responsive meanwhile.
 *
 * @param logWork the work factor of scrypt, as a power of two
 */
export async function lockIdentity(
  identity: string,
  passphrase: string,
  onProgress?: OnProgress,
  logWork = DEFAULT_WORK,
): Promise<string> {
  const encrypter = new Encrypter()
  encrypter.addRecipient(createScryptRecipient(passphrase, logWork, onProgress))
  return armor.encode(await encrypter.encrypt(`${identity}\n`))
}

/** Decrypts a locked identity. Throws an `AgeFault`: `wrong_passphrase`, or `altered` for any other file. */
export async function unlockIdentity(
  armored: string,
  passphrase: string,
  onProgress?: OnProgress,
): Promise<string> {
  let hasKey = false
  const decrypter = new Decrypter()
  const identity = createScryptIdentity(passphrase, onProgress)
  decrypter.addIdentity({
    unwrapFileKey: async (stanzas) => {
      const fileKey = await identity.unwrapFileKey(stanzas)
      if (fileKey === null) throw new AgeFault('wrong_passphrase')
      hasKey = true
      return fileKey
    },
  })
  try {
    const text = (await decrypter.decrypt(armor.decode(armored), 'text')).trim()
    if (!/^AGE-SECRET-KEY-1[A-Z0-9]{58}$/.test(text)) throw new AgeFault('altered')
    return text
  } catch (error) {
    if (error instanceof AgeFault && !hasKey) throw error
    throw new AgeFault('altered', error)
  }
}

/** Receives the progress, from 0 to 1. */
type OnProgress = (share: number) => void

/** The default of the `age` command: each guess takes 256 MB and a second on a fast machine. */
const DEFAULT_WORK = 18
/** A higher work factor, sent by a compromised server, could freeze the browser. */
const MOST_WORK = 20

/**
 * The passphrase recipient of age (https://age-encryption.org/v1#the-scrypt-recipient-type). The library has one, but it
 * computes scrypt synchronously, which freezes the page.
 */
function createScryptRecipient(passphrase: string, logWork: number, onProgress?: OnProgress): Recipient {
  return {
    wrapFileKey: async (fileKey) => {
      const salt = randomBytes(16)
      const key = await deriveKey(passphrase, salt, logWork, onProgress)
      return [
        new Stanza(
          ['scrypt', base64nopad.encode(salt), String(logWork)],
          chacha20poly1305(key, NO_NONCE).encrypt(fileKey),
        ),
      ]
    },
  }
}

/** The identity for `createScryptRecipient`. Returns null for a wrong passphrase, throws for any other kind of header. */
function createScryptIdentity(passphrase: string, onProgress?: OnProgress): Identity {
  return {
    unwrapFileKey: async ([stanza, ...others]) => {
      const [type, salt = '', logWork = ''] = stanza?.args ?? []
      if (stanza === undefined || type !== 'scrypt' || others.length > 0 || !/^[1-9]\d?$/.test(logWork))
        throw new Error('This is not locked with a passphrase alone.')
      if (Number(logWork) > MOST_WORK) throw new Error('It would take too long.')
      const key = await deriveKey(passphrase, base64nopad.decode(salt), Number(logWork), onProgress)
      try {
        return chacha20poly1305(key, NO_NONCE).decrypt(stanza.body)
      } catch {
        return null
      }
    },
  }
}

// Safe because each key encrypts only one file key.
const NO_NONCE = new Uint8Array(12)

function deriveKey(
  passphrase: string,
  salt: Uint8Array,
  logWork: number,
  onProgress?: OnProgress,
): Promise<Uint8Array> {
  return scryptAsync(passphrase, concatBytes(utf8ToBytes('age-encryption.org/v1/scrypt'), salt), {
    N: 2 ** logWork,
    r: 8,
    p: 1,
    dkLen: 32,
    ...(onProgress && { onProgress: throttleByPercent(onProgress) }),
  })
}

/** Reports each per cent once, because scrypt reports some ten thousand steps. */
function throttleByPercent(onProgress: OnProgress): OnProgress {
  let reported = -1
  return (share) => {
    const percent = Math.floor(100 * share)
    if (percent === reported) return
    reported = percent
    onProgress(share)
  }
}

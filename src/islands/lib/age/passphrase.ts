import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { scryptAsync } from '@noble/hashes/scrypt.js'
import { concatBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64nopad } from '@scure/base'
import { armor, Decrypter, Encrypter, type Identity, type Recipient, Stanza } from 'age-encryption'
import { AgeFault } from './AgeFault.ts'

/**
 * An identity encrypted with a passphrase, as an armored age file: what the server keeps and cannot read, and what the
 * `age` command opens too. Takes a second or more on purpose; the page stays alive meanwhile.
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
  encrypter.addRecipient(scryptRecipient(passphrase, logWork, onProgress))
  return armor.encode(await encrypter.encrypt(`${identity}\n`))
}

/** The identity again. Throws an `AgeFault`: `wrong_passphrase`, or `altered` when it is no such file. */
export async function unlockIdentity(
  armored: string,
  passphrase: string,
  onProgress?: OnProgress,
): Promise<string> {
  let hasKey = false
  const decrypter = new Decrypter()
  const identity = scryptIdentity(passphrase, onProgress)
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

/** How far the work is, from 0 to 1. */
type OnProgress = (share: number) => void

/** What the `age` command takes too: some 256 MB and a second on a fast machine for each guess. */
const DEFAULT_WORK = 18
/** Above this, what comes from the server could stop the browser. */
const MOST_WORK = 20

/**
 * The passphrase recipient of age (https://age-encryption.org/v1#the-scrypt-recipient-type). The library's own works
 * in one go, during which a page stands still and can show nothing.
 */
function scryptRecipient(passphrase: string, logWork: number, onProgress?: OnProgress): Recipient {
  return {
    wrapFileKey: async (fileKey) => {
      const salt = randomBytes(16)
      const key = await keyOf(passphrase, salt, logWork, onProgress)
      return [
        new Stanza(
          ['scrypt', base64nopad.encode(salt), String(logWork)],
          chacha20poly1305(key, NO_NONCE).encrypt(fileKey),
        ),
      ]
    },
  }
}

/** Its other half. Answers null for a wrong passphrase, throws for a header that is none of ours. */
function scryptIdentity(passphrase: string, onProgress?: OnProgress): Identity {
  return {
    unwrapFileKey: async ([stanza, ...others]) => {
      const [type, salt = '', logWork = ''] = stanza?.args ?? []
      if (stanza === undefined || type !== 'scrypt' || others.length > 0 || !/^[1-9]\d?$/.test(logWork))
        throw new Error('This is not locked with a passphrase alone.')
      if (Number(logWork) > MOST_WORK) throw new Error('It would take too long.')
      const key = await keyOf(passphrase, base64nopad.decode(salt), Number(logWork), onProgress)
      try {
        return chacha20poly1305(key, NO_NONCE).decrypt(stanza.body)
      } catch {
        return null
      }
    },
  }
}

// Each key encrypts one file key and nothing else.
const NO_NONCE = new Uint8Array(12)

function keyOf(
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
    ...(onProgress && { onProgress: byPercent(onProgress) }),
  })
}

/** Ten thousand steps are too many to draw. */
function byPercent(onProgress: OnProgress): OnProgress {
  let told = -1
  return (share) => {
    const percent = Math.floor(100 * share)
    if (percent === told) return
    told = percent
    onProgress(share)
  }
}

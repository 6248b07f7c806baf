import { armor, Decrypter, Encrypter } from 'age-encryption'
import { AgeFault } from './AgeFault.ts'
import { DEFAULT_WORK, type OnProgress, scryptIdentity, scryptRecipient } from './scryptStanza.ts'

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

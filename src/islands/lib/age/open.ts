import { Decrypter } from 'age-encryption'
import { AgeFault } from './AgeFault.ts'

/** Opens what was sealed to this identity. Throws an `AgeFault`: `not_sealed_to_you`, or `altered`. */
export async function open(age: Uint8Array, identity: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await guarded(() => decrypterOf(identity).decrypt(age)))
}

/** The key of the payload, from a whole file or its header alone. Throws as `open` does. */
export function fileKeyOf(age: Uint8Array, identity: string): Promise<Uint8Array> {
  return guarded(() => decrypterOf(identity).decryptHeader(age))
}

function decrypterOf(identity: string): Decrypter {
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  return decrypter
}

async function guarded<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    // The library has no other way of telling, and its version is fixed: a test holds these words.
    const isStranger = error instanceof Error && error.message.startsWith('no identity matched')
    throw new AgeFault(isStranger ? 'not_sealed_to_you' : 'altered', error)
  }
}

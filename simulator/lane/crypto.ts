import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'

const TAG_BYTES = 16

/** A key of this module. */
interface Key {
  readonly kind: 'simulated key'
  readonly bytes: Uint8Array
  /** The same bytes for `node:crypto`. */
  readonly object: KeyObject
}

function keyOf(bytes: Uint8Array): Key {
  return { kind: 'simulated key', bytes, object: createSecretKey(bytes) }
}

/**
 * The parts of `crypto.subtle` that the Worker uses, computed at once. The platform's own answers from other threads, in an
 * order that differs from run to run.
 */
const synchronous = {
  async digest(_algorithm: string, data: BufferSource): Promise<ArrayBuffer> {
    return copied(createHash('sha256').update(bytesOf(data)).digest())
  },
  async importKey(_format: string, data: BufferSource): Promise<Key> {
    return keyOf(bytesOf(data).slice())
  },
  async deriveKey(
    { salt, info }: { salt: BufferSource; info: BufferSource },
    key: Key,
    { length = 256 }: { length?: number },
  ): Promise<Key> {
    const bytes = hkdfSync('sha256', key.bytes, bytesOf(salt), bytesOf(info), length / 8)
    return keyOf(new Uint8Array(bytes))
  },
  async sign(_algorithm: string, key: Key, data: BufferSource): Promise<ArrayBuffer> {
    return copied(mac(key, data))
  },
  async verify(_algorithm: string, key: Key, signature: BufferSource, data: BufferSource): Promise<boolean> {
    const given = bytesOf(signature)
    const right = mac(key, data)
    return given.length === right.length && timingSafeEqual(given, right)
  },
  async encrypt({ iv, additionalData }: Gcm, key: Key, data: BufferSource): Promise<ArrayBuffer> {
    const cipher = createCipheriv('aes-256-gcm', key.object, bytesOf(iv))
    if (additionalData !== undefined) cipher.setAAD(bytesOf(additionalData))
    return copied(Buffer.concat([cipher.update(bytesOf(data)), cipher.final(), cipher.getAuthTag()]))
  },
  async decrypt({ iv, additionalData }: Gcm, key: Key, data: BufferSource): Promise<ArrayBuffer> {
    const sealed = bytesOf(data)
    const decipher = createDecipheriv('aes-256-gcm', key.object, bytesOf(iv))
    if (additionalData !== undefined) decipher.setAAD(bytesOf(additionalData))
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
    return copied(
      Buffer.concat([decipher.update(sealed.subarray(0, sealed.length - TAG_BYTES)), decipher.final()]),
    )
  },
}

interface Gcm {
  readonly iv: BufferSource
  readonly additionalData?: BufferSource
}

/** Makes `crypto.subtle` answer at once. Returns a function that restores the platform's. */
export function answerAtOnce(): () => void {
  Object.defineProperty(globalThis.crypto, 'subtle', { configurable: true, value: synchronous })
  return () => {
    Reflect.deleteProperty(globalThis.crypto, 'subtle')
  }
}

function mac({ object }: Key, data: BufferSource): Buffer {
  return createHmac('sha256', object).update(bytesOf(data)).digest()
}

function bytesOf(data: BufferSource): Uint8Array {
  return data instanceof ArrayBuffer
    ? new Uint8Array(data)
    : new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
}

function copied(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}

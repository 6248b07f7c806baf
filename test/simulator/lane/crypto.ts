import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  sign as signed,
  timingSafeEqual,
} from 'node:crypto'

const TAG_BYTES = 16

/** A key of this module. */
interface Key {
  readonly kind: 'simulated key'
  readonly bytes: Uint8Array
  /** The same bytes for `node:crypto`. */
  readonly object: KeyObject
  /** The hash of its HMAC. */
  readonly hash: string
}

function keyOf(bytes: Uint8Array, hash = 'sha256'): Key {
  return { kind: 'simulated key', bytes, object: createSecretKey(bytes), hash }
}

/** `SHA-512` of Web Cryptography is `sha512` in `node:crypto`. */
function nodeHash(name = 'SHA-256'): string {
  return name.replace('-', '').toLowerCase()
}

/**
 * The parts of `crypto.subtle` that the Worker uses, computed at once. The platform's own answers from other threads, in an
 * order that differs from run to run.
 */
const synchronous = {
  async digest(_algorithm: string, data: BufferSource): Promise<ArrayBuffer> {
    return copied(hash('sha256', bytesOf(data), 'buffer'))
  },
  async importKey(format: string, data: BufferSource, algorithm: string | { hash?: string }): Promise<Key> {
    const bytes = bytesOf(data).slice()
    if (format === 'pkcs8')
      return {
        ...keyOf(bytes),
        object: createPrivateKey({ key: Buffer.from(bytes), format: 'der', type: 'pkcs8' }),
      }
    return keyOf(bytes, nodeHash(typeof algorithm === 'string' ? undefined : algorithm.hash))
  },
  async deriveKey(
    { salt, info }: { salt: BufferSource; info: BufferSource },
    key: Key,
    { length = 256 }: { length?: number },
  ): Promise<Key> {
    const bytes = hkdfSync('sha256', key.bytes, bytesOf(salt), bytesOf(info), length / 8)
    return keyOf(new Uint8Array(bytes))
  },
  /** HMAC, ECDSA or Ed25519, by the key. */
  async sign(_algorithm: unknown, key: Key, data: BufferSource): Promise<ArrayBuffer> {
    if (key.object.type !== 'private') return copied(mac(key, data))
    const hash = key.object.asymmetricKeyType === 'ec' ? 'sha256' : null
    return copied(signed(hash, bytesOf(data), { key: key.object, dsaEncoding: 'ieee-p1363' }))
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

function mac({ object, hash }: Key, data: BufferSource): Buffer {
  return createHmac(hash, object).update(bytesOf(data)).digest()
}

function bytesOf(data: BufferSource): Uint8Array {
  return data instanceof ArrayBuffer
    ? new Uint8Array(data)
    : new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
}

function copied(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}

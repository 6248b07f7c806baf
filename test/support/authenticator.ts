import type { PasskeyQuestion } from '../../src/contract/fields.ts'
import { encodeBase64url, sha256Hex } from '../../worker/lib/crypto/tokens.ts'
import { ORIGIN } from './http.ts'

/** How a device differs from an honest one. */
export interface Behaviour {
  readonly origin?: string
  readonly rpId?: string
  /** The counter that it sends. By default it counts up. */
  readonly counter?: number
  /** Whether it verified its user. Default true. */
  readonly verified?: boolean
  /** Whether the user was present. Default true. */
  readonly present?: boolean
  /** Signs with another key than the registered one. */
  readonly otherKey?: boolean
}

/** The creation options that a device uses. */
interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id: string }
}

/** A passkey's answer as JSON, as a browser's script would send it. */
export interface Assertion {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
  }
}

const ES256 = { name: 'ECDSA', namedCurve: 'P-256' } as const
const SHA_256 = { name: 'ECDSA', hash: 'SHA-256' } as const

/** A device with one passkey (WebAuthn level 2, ES256, attestation "none"), built on the Web Crypto API. */
export async function newAuthenticator(counting = true) {
  const keys = (await crypto.subtle.generateKey(ES256, true, ['sign', 'verify'])) as CryptoKeyPair
  const others = (await crypto.subtle.generateKey(ES256, true, ['sign', 'verify'])) as CryptoKeyPair
  const credentialId = crypto.getRandomValues(new Uint8Array(16))
  const id = encodeBase64url(credentialId)
  let count = 0
  const next = () => (counting ? ++count : 0)

  async function authenticatorData(
    rpId: string,
    does: Behaviour,
    attested?: Uint8Array,
  ): Promise<Uint8Array> {
    const flags =
      (does.present === false ? 0 : 1) | (does.verified === false ? 0 : 4) | (attested === undefined ? 0 : 64)
    const counter = new Uint8Array(4)
    new DataView(counter.buffer).setUint32(0, does.counter ?? next())
    const hash = hexBytes(await sha256Hex(does.rpId ?? rpId))
    return joined(hash, new Uint8Array([flags]), counter, attested ?? new Uint8Array())
  }

  return {
    id,
    /** Creates the passkey: RegistrationResponseJSON. */
    async create({ challenge, rp }: CreationOptions, does: Behaviour = {}) {
      const attested = joined(
        new Uint8Array(16),
        new Uint8Array([0, credentialId.length]),
        credentialId,
        await coseKey(keys.publicKey),
      )
      const authData = await authenticatorData(rp.id, does, attested)
      const attestationObject = joined(
        new Uint8Array([0xa3]),
        cborText('fmt'),
        cborText('none'),
        cborText('attStmt'),
        new Uint8Array([0xa0]),
        cborText('authData'),
        cborBytes(authData),
      )
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, does),
          attestationObject: encodeBase64url(attestationObject),
          transports: ['internal', 'hybrid'],
        },
        clientExtensionResults: {},
      }
    },
    /** Answers a challenge: AuthenticationResponseJSON. */
    async answer({ challenge, rpId }: PasskeyQuestion, does: Behaviour = {}): Promise<Assertion> {
      const authData = await authenticatorData(rpId, does)
      const clientDataJSON = clientData('webauthn.get', challenge, does)
      const signed = joined(authData, hexBytes(await sha256Hex(textOf(clientDataJSON))))
      const key = does.otherKey ? others.privateKey : keys.privateKey
      const raw = new Uint8Array(await crypto.subtle.sign(SHA_256, key, signed))
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON,
          authenticatorData: encodeBase64url(authData),
          signature: encodeBase64url(derSignature(raw)),
        },
      }
    },
  }
}
export type Authenticator = Awaited<ReturnType<typeof newAuthenticator>>

function clientData(type: string, challenge: string, { origin = ORIGIN }: Behaviour): string {
  return encodeBase64url(
    new TextEncoder().encode(JSON.stringify({ type, challenge, origin, crossOrigin: false })),
  )
}

function textOf(encoded: string): string {
  return atob(encoded.replaceAll('-', '+').replaceAll('_', '/'))
}

/** A P-256 key as COSE_Key (RFC 9053): {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
async function coseKey(key: CryptoKey): Promise<Uint8Array> {
  const point = new Uint8Array((await crypto.subtle.exportKey('raw', key)) as ArrayBuffer)
  const [x, y] = [point.slice(1, 33), point.slice(33)]
  return joined(
    new Uint8Array([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    cborBytes(x),
    new Uint8Array([0x22]),
    cborBytes(y),
  )
}

/** r and s as ASN.1, which WebAuthn uses for ES256. */
function derSignature(raw: Uint8Array): Uint8Array {
  const parts = joined(derInteger(raw.slice(0, 32)), derInteger(raw.slice(32)))
  return joined(new Uint8Array([0x30, parts.length]), parts)
}

function derInteger(bytes: Uint8Array): Uint8Array {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start++
  const value = bytes.slice(start)
  const isNegative = (value[0] ?? 0) >= 0x80
  return joined(
    new Uint8Array([0x02, value.length + (isNegative ? 1 : 0)]),
    ...(isNegative ? [new Uint8Array([0])] : []),
    value,
  )
}

function cborText(text: string): Uint8Array {
  return joined(new Uint8Array([0x60 + text.length]), new TextEncoder().encode(text))
}

function cborBytes(bytes: Uint8Array): Uint8Array {
  return joined(new Uint8Array([0x58, bytes.length]), bytes)
}

function hexBytes(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

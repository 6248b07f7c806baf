import argon2id, { type Argon2Instance } from 'argon2id/lib/argon2id.js'
import { generateRandomBytes, runtime } from '../runtime.ts'
import module from './argon2id.wasm'
import { timingSafeEqual } from './tokens.ts'

/** Argon2id (RFC 9106) with 19 MiB, two passes and one lane. */
const COST: Cost = { memoryKib: 19_456, passes: 2, lanes: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32

/** The algorithm's minimum length. Registration requires more (8 characters). */
const SHORTEST_BYTES = 8

/**
 * The password's Argon2id hash as a PHC string, ready to store. A password under 8 bytes is a programming error and throws a
 * RangeError.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = generateRandomBytes(SALT_BYTES)
  const bytes = encodePassword(password)
  if (bytes.length < SHORTEST_BYTES) throw new RangeError('A password to be stored has at least 8 bytes.')
  const tag = await derive(bytes, { cost: COST, salt, tag: new Uint8Array(TAG_BYTES) })
  return `$argon2id$v=19$m=${COST.memoryKib},t=${COST.passes},p=${COST.lanes}$${encodeBase64(salt)}$${encodeBase64(tag)}`
}

/**
 * Whether the password matches the PHC string. Takes the same work for every password. Throws for a stored string that this
 * module has not written.
 */
export async function verifyPassword(password: string, phc: string): Promise<boolean> {
  const stored = parsePhc(phc)
  const bytes = encodePassword(password)
  // A password that is too short for the algorithm cannot be stored. It is refused after the same work as any other.
  const possible = bytes.length >= SHORTEST_BYTES
  const tag = await derive(possible ? bytes : new Uint8Array(SHORTEST_BYTES), stored)
  return timingSafeEqual(tag, stored.tag) && possible
}

/** Whether the stored hash has another cost than today's and must be replaced at the next sign-in. */
export function shouldRehash(phc: string): boolean {
  const { cost, salt, tag } = parsePhc(phc)
  return (
    cost.memoryKib !== COST.memoryKib ||
    cost.passes !== COST.passes ||
    cost.lanes !== COST.lanes ||
    salt.length !== SALT_BYTES ||
    tag.length !== TAG_BYTES
  )
}

type Cost = { memoryKib: number; passes: number; lanes: number }
type PasswordHash = { cost: Cost; salt: Uint8Array<ArrayBuffer>; tag: Uint8Array }

const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

function parsePhc(phc: string): PasswordHash {
  const [, memoryKib, passes, lanes, salt = '', tag = ''] = PHC.exec(phc) ?? []
  if (!memoryKib) throw new Error('A stored password hash is not an Argon2id PHC string.')
  return {
    cost: { memoryKib: Number(memoryKib), passes: Number(passes), lanes: Number(lanes) },
    salt: decodeBase64(salt),
    tag: decodeBase64(tag),
  }
}

// NFKC, so that a password typed on different keyboards gives the same bytes (NIST SP 800-63B).
function encodePassword(password: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(password.normalize('NFKC'))
}

function derive(
  password: Uint8Array<ArrayBuffer>,
  { cost, salt, tag }: PasswordHash,
): Uint8Array | Promise<Uint8Array> {
  if (runtime.derivePassword !== null) return runtime.derivePassword(password, salt)
  instance ??= createArgon2()
  return argon2id(
    {
      password,
      salt,
      memorySize: cost.memoryKib,
      passes: cost.passes,
      parallelism: cost.lanes,
      tagLength: tag.length,
    },
    instance,
  )
}

// One instance per isolate, because its memory is a sixth of an isolate's limit. It computes synchronously, so two requests never
// share that memory at the same time.
let instance: Argon2Instance | undefined

/** What one hash needs: its blocks, and the library's 10 KiB beside them. Another cost, of an older hash, grows it. */
export const MEMORY_PAGES = Math.ceil((COST.memoryKib + 10) / 64)

// Workers cannot compile at run time. The bundler provides a compiled module, which only needs linking. It is the package's
// module, but for the memory that it demands: the package's takes 65 MiB, half of what an isolate may use.
function createArgon2(): Argon2Instance {
  const memory = new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: 65_536 })
  return { memory, instance: new WebAssembly.Instance(module, { env: { memory } }) }
}

function encodeBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(/=+$/, '')
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

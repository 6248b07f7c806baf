import type { Endpoint } from '../../src/contract/endpoint.ts'
import { sha256Hex } from '../lib/crypto/tokens.ts'
import type { ReadBody } from './body.ts'

/**
 * What makes two requests the same for an Idempotency-Key: parsed values and file contents, not the bytes of the body,
 * and without the proof, which a repeated request may carry anew.
 */
export async function fingerprintOf(endpoint: Endpoint, read: ReadBody): Promise<string> {
  const parsed = endpoint.body?.safeParse(read.fields)
  // Fields in error are never a success to come back to, and may be nested deeper than any stack: they are all alike.
  const values = parsed?.success === false ? 'in error' : parsed?.data
  const files = await Promise.all(
    [...read.files]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(async ([name, bytes]) => [name, await sha256Hex(bytes)]),
  )
  return sha256Hex(JSON.stringify([canonical(values, true), files]))
}

const PROOFS = new Set(['code', 'passkey'])

function canonical(value: unknown, top = false): unknown {
  if (Array.isArray(value)) return value.map((each) => canonical(each))
  if (typeof value !== 'object' || value === null) return value
  return (
    Object.entries(value)
      .filter(([key, each]) => each !== undefined && !(top && PROOFS.has(key)))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      // A withdrawal within another request brings its proof along as one that stands alone.
      .map(([key, each]) => [key, canonical(each, top && key === 'thenWithdraw')])
  )
}

import { site } from '../../../src/site.ts'
import { runtime } from '../../lib/runtime.ts'
import { readWhole } from '../market/provider.ts'
import { VenueFailure } from './client.ts'

/** The time limit for one answer, including its body. */
const TIMEOUT_MS = 10_000
/** Kraken's list of all pairs is 1.5 MB. */
const MOST_BYTES = 4 * 1024 * 1024

export interface Heard {
  readonly status: number
  /** Undefined if the body is not JSON. */
  readonly json: unknown
}

/**
 * Sends one request, once. Throws a `VenueFailure` of the kind `lost` if there is no whole answer: the request may have arrived.
 * A redirect is not followed, because the signature is for one host.
 */
export async function send(url: string, init: RequestInit): Promise<Heard> {
  const signal = runtime.timeout(TIMEOUT_MS)
  const headers = { Accept: 'application/json', 'User-Agent': site.slug, ...init.headers }
  try {
    const response = await runtime.fetch(url, { ...init, headers, redirect: 'manual', signal })
    const bytes = await readWhole(response, signal, MOST_BYTES)
    return { status: response.status, json: parseJson(new TextDecoder().decode(bytes)) }
  } catch {
    throw new VenueFailure('lost', signal.aborted ? 'did not answer in time' : 'did not answer')
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

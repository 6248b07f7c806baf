import { createSecretFailure } from '../client.ts'

/**
 * Kraken's `API-Sign`: HMAC-SHA-512 of the path and SHA-256(nonce + body) under the decoded secret, in base64
 * (https://docs.kraken.com/exchange/guides/rest/authentication). Throws a `VenueFailure` for a secret that is not base64, without showing it.
 */
export async function signRequest(
  secret: string,
  path: string,
  nonce: string,
  body: string,
): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', encode(nonce + body)))
  const algorithm = { name: 'HMAC', hash: 'SHA-512' }
  const bytes = decodeSecret(secret)
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
  const mac = await crypto.subtle.sign('HMAC', key, new Uint8Array([...encode(path), ...digest]))
  return btoa(String.fromCharCode(...new Uint8Array(mac)))
}

function decodeSecret(secret: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(secret), (character) => character.charCodeAt(0))
  } catch {
    throw createSecretFailure('kraken')
  }
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

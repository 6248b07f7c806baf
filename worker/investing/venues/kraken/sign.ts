/**
 * Kraken's `API-Sign`: HMAC-SHA-512 of the path and SHA-256(nonce + body) under the decoded secret, in base64
 * (https://docs.kraken.com/exchange/guides/rest/authentication).
 */
export async function signRequest(
  secret: string,
  path: string,
  nonce: string,
  body: string,
): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', encode(nonce + body)))
  const algorithm = { name: 'HMAC', hash: 'SHA-512' }
  const bytes = Uint8Array.from(atob(secret), (character) => character.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
  const mac = await crypto.subtle.sign('HMAC', key, new Uint8Array([...encode(path), ...digest]))
  return btoa(String.fromCharCode(...new Uint8Array(mac)))
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

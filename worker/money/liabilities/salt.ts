/** Random bytes of a day, as 64 hexadecimal digits: each leaf's salt is derived from them. */
export function newDaySecret(): string {
  return hex(crypto.getRandomValues(new Uint8Array(32)))
}

/** Salts of a day, by investor: HMAC-SHA-256 of the id under the day's secret, so that one tells nothing of another. */
export async function saltsOf(secret: string): Promise<(investor: string) => Promise<string>> {
  const bytes = new TextEncoder()
  const key = await crypto.subtle.importKey(
    'raw',
    bytes.encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  return async (investor) =>
    hex(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes.encode(investor))))
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The hash with which the content security policy allows an inline script. */
export async function hashScript(code: string): Promise<`sha256-${string}`> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code))
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`
}

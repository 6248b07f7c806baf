import type { Page } from '@playwright/test'

/**
 * Records the bodies that a page sends from now on, byte for byte. Playwright does not show the files in a form.
 * Call it before opening the page.
 */
export async function recordRequestBodies(page: Page): Promise<Buffer[]> {
  const sent: Buffer[] = []
  await page.exposeFunction('reportSent', (body: string) => void sent.push(Buffer.from(body, 'base64')))
  await page.addInitScript(reportBodies)
  return sent
}

// Runs in the page.
function reportBodies(): void {
  const report = async (body: unknown) => {
    if (body === null || body === undefined) return
    const bytes = new Uint8Array(await new Response(body as BodyInit).arrayBuffer())
    const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
    const reportSent: unknown = Reflect.get(globalThis, 'reportSent')
    if (typeof reportSent === 'function') reportSent(btoa(text))
  }
  const { send } = XMLHttpRequest.prototype
  XMLHttpRequest.prototype.send = function (body) {
    void report(body)
    return send.call(this, body)
  }
  const { fetch } = globalThis
  globalThis.fetch = (input, init) => {
    void report(init?.body)
    return fetch(input, init)
  }
}

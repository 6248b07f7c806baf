import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from '@playwright/test'
import { origin } from './http.ts'
import type { Session } from './people.ts'

interface Scene {
  /** A browser of its own, with nobody signed in or with this session. */
  open: (session?: Session | null, options?: BrowserContextOptions) => Promise<Page>
  /** What a test makes happen on purpose and the browser's console therefore speaks of. */
  forgive: (fault: RegExp) => void
}

/** Playwright's `test`, in which a page that complains fails the test: in the console, of a policy, by throwing. */
export const test = base.extend<Scene & { faults: Faults }>({
  faults: [
    async ({ baseURL }, use) => {
      const faults: Faults = { api: `${baseURL ?? origin}/api/v1/`, found: [], forgiven: [] }
      await use(faults)
      expect(unforgiven(faults)).toEqual([])
    },
    { auto: true },
  ],
  context: async ({ context, faults }, use) => {
    await watch(context, faults)
    await use(context)
  },
  open: async ({ browser, faults }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (session = null, options = {}) => {
      const context = await browser.newContext({ baseURL: origin, ...options })
      contexts.push(context)
      await watch(context, faults)
      const page = await context.newPage()
      if (session) await signIn(page, session)
      return page
    })
    for (const context of contexts) await context.close()
  },
  forgive: async ({ faults }, use) => {
    await use((fault) => faults.forgiven.push(fault))
  },
})

export { expect }

/**
 * Browser storage as signing in leaves it, from the page's first document on. Playwright's `storageState` loads a page of
 * its own for that, which takes longer than many tests.
 */
async function signIn(page: Page, session: Session): Promise<void> {
  await page.addInitScript(
    ({ origin, userInfo }) => {
      // The name of a tab outlasts its documents: who signs out here stays signed out.
      if (location.origin !== origin || parent !== window || window.name === 'was signed in') return
      window.name = 'was signed in'
      localStorage.setItem('user-info', userInfo)
    },
    { origin, userInfo: JSON.stringify(session) },
  )
}

interface Faults {
  /** What the API's addresses begin with. */
  api: string
  found: string[]
  forgiven: RegExp[]
}

async function watch(context: BrowserContext, { api, found }: Faults): Promise<void> {
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const { url } = message.location()
    if (url.startsWith(api) && isRefusal(message.text())) return
    found.push(`${message.type()}: ${message.text()} (${url})`)
  })
  context.on('weberror', (error) => found.push(`thrown: ${error.error().message}`))
  await context.exposeFunction('reportViolation', (words: string) => found.push(`policy: ${words}`))
  await context.addInitScript(reportViolations)
}

// Chromium says every answer with an error status in the console; a refusal of the API is an answer like any other.
function isRefusal(text: string): boolean {
  return /the server responded with a status of 4\d\d/.test(text)
}

function unforgiven({ found, forgiven }: Faults): string[] {
  return found.filter((fault) => !forgiven.some((pattern) => pattern.test(fault)))
}

// Runs in the page.
function reportViolations(): void {
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample, sourceFile }) => {
    const report: unknown = Reflect.get(globalThis, 'reportViolation')
    if (typeof report === 'function') report(`${violatedDirective} ${blockedURI} ${sample} ${sourceFile}`)
  })
}

import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from '@playwright/test'
import { origin } from './http.ts'
import type { Session } from './people.ts'

interface Fixtures {
  /** Opens a page in a new browser context, signed out or with this session. */
  open: (session?: Session | null, options?: BrowserContextOptions) => Promise<Page>
  /** Allows a console message or error that the test causes on purpose. */
  allowFault: (fault: RegExp) => void
  /** Whether the pointer rests where a test leaves it. People’s hands move, so by default it moves a little all the time. */
  pointerRests: boolean
}

/** Playwright's `test`. A console error or warning, a policy violation or an uncaught error fails the test. */
export const test = base.extend<Fixtures & { faults: Faults }>({
  faults: [
    async ({ baseURL }, use) => {
      const faults: Faults = { api: `${baseURL ?? origin}/api/v1/`, found: [], allowed: [] }
      await use(faults)
      expect(unexpected(faults)).toEqual([])
    },
    { auto: true },
  ],
  pointerRests: [false, { option: true }],
  context: async ({ context, faults, pointerRests }, use) => {
    await watch(context, faults)
    if (!pointerRests) await context.addInitScript(movePointer)
    await use(context)
  },
  open: async ({ browser, faults, pointerRests, baseURL }, use) => {
    const server = baseURL ?? origin
    const contexts: BrowserContext[] = []
    await use(async (session = null, options = {}) => {
      const context = await browser.newContext({ baseURL: server, ...options })
      contexts.push(context)
      await watch(context, faults)
      if (!pointerRests) await context.addInitScript(movePointer)
      const page = await context.newPage()
      if (session) await signIn(page, session, server)
      return page
    })
    for (const context of contexts) {
      // A page may be waiting for an answer that the test delays.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
      await context.close()
    }
  },
  allowFault: async ({ faults }, use) => {
    await use((fault) => faults.allowed.push(fault))
  },
})

export { expect }

/** Fills the browser's storage as signing in does. Playwright's `storageState` is slower: it loads a page for it. */
async function signIn(page: Page, session: Session, server: string): Promise<void> {
  await page.addInitScript(
    ({ origin, userInfo }) => {
      // `window.name` survives navigation, so a test that signs out stays signed out.
      if (location.origin !== origin || parent !== window || window.name === 'was signed in') return
      window.name = 'was signed in'
      localStorage.setItem('user-info', userInfo)
    },
    { origin: server, userInfo: JSON.stringify(session) },
  )
}

interface Faults {
  /** What the API's addresses begin with. */
  api: string
  found: string[]
  allowed: RegExp[]
}

async function watch(context: BrowserContext, { api, found }: Faults): Promise<void> {
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const { url } = message.location()
    if (url.startsWith(api) && isRefusal(message.text())) return
    if (message.text() === NO_SERVICE_WORKERS) return
    found.push(`${message.type()}: ${message.text()} (${url})`)
  })
  context.on('weberror', (error) => found.push(`thrown: ${error.error().message}`))
  await context.exposeFunction('reportViolation', (words: string) => found.push(`policy: ${words}`))
  await context.addInitScript(reportViolations)
}

/** Playwright says so on each page of the dashboard: playwright.config.ts. */
const NO_SERVICE_WORKERS = 'Service Worker registration blocked by Playwright'

// Chromium logs every 4xx answer. A refusal of the API is expected.
function isRefusal(text: string): boolean {
  return /the server responded with a status of 4\d\d/.test(text)
}

function unexpected({ found, allowed }: Faults): string[] {
  return found.filter((fault) => !allowed.some((pattern) => pattern.test(fault)))
}

// Runs in the page.
function reportViolations(): void {
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample, sourceFile }) => {
    const report: unknown = Reflect.get(globalThis, 'reportViolation')
    if (typeof report === 'function') report(`${violatedDirective} ${blockedURI} ${sample} ${sourceFile}`)
  })
}

// Runs in the page. Decisions wait until the pointer has moved, and Playwright moves it only once a button can be clicked.
function movePointer(): void {
  setInterval(() => {
    document.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, movementX: 1 }))
  }, 200)
}

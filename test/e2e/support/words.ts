import type { Page } from '@playwright/test'

/**
 * Words that make a claim wherever they appear. A sentence with one of them must be marked with a claim of the register, or as
 * making none (`data-plain`), such as a warning.
 */
const WATCHED = [
  /\b(?:un|de)?encrypt\w*/,
  /\btwo[- ]factor\b|\bsecond factors?\b|\b2fa\b/,
  /\bcold (?:storage|wallets?)\b/,
  /\b24\/7\b|\baround the clock\b/,
  /\binsur\w+/,
  /\b(?:un)?licen[cs]e\w*/,
  /\bback-?test\w*/,
  /\baudit\w*/,
  /\bguarante\w+/,
  /\bfees?\b|\bcommissions?\b|\bfree of charge\b/,
  /\bhash\w*/,
  /\b(?:un)?regulated\b/,
  /\banonym\w+/,
  /\bcompensat\w+/,
  /\bcustody\b|\bcustodian\w*|\bsegregat\w+/,
  /\bdouble entry\b/,
  /\btwo operators\b/,
  /\bsecure(?:d|ly)?\b|\bsafe(?:ly)?\b|\bprotect(?:s|ed)?\b|\binstant(?:ly)?\b|\btransparent\b|\bleading\b|\btrusted\b/,
  /\bproven\b|\bcertif\w+|\baward\w*|\brisk-free\b/,
].map(({ source }) => source)

/** Elements that name things and so make no claim. */
const LABELS =
  'h1, h2, h3, h4, h5, h6, a, button, summary, th, dt, label, legend, nav, title, code, script, style'

/** Texts of a page with a watched word outside a marked claim. */
export async function wordsOutsideClaims(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ watched, labels }) => {
      const patterns = watched.map((source) => new RegExp(source, 'i'))
      const found: string[] = []
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      while (texts.nextNode()) {
        const { data, parentElement } = texts.currentNode as Text
        const word = patterns.map((pattern) => pattern.exec(data)?.[0]).find(Boolean)
        if (!word || parentElement?.closest(`[data-claim]:not([data-claim=""]), [data-plain], ${labels}`))
          continue
        found.push(`${word}: ${data.replace(/\s+/g, ' ').trim()}`)
      }
      return found
    },
    { watched: WATCHED, labels: LABELS },
  )
}

/** Patterns of performance figures. The month in `Apr 1, 2024` is not the abbreviation APR. */
const FIGURES = [
  /(?:^|[\s(])[+±−-]\s?\d+(?:[.,]\d+)?\s?%/,
  /[+−-]\s?\$\s?\d/,
  /\b(?:returns?|yields?|gains?|profits?|earn\w*|win\w*|grow\w*)\s+(?:of\s+|by\s+|up to\s+|over\s+|more than\s+)*\$?\d/,
  /\d\s?%\s+(?:a|an|per|each|every)\s+(?:day|week|month|quarter|year)\b|\bannuali[sz]ed\b|\bAP[YR]\b(?!\s\d{1,2},\s\d{4})/,
].map(({ source }) => source)

/** What the text around a performance figure must state: its kind, period and costs. */
const CONTEXT = [/\b(?:simulated|past)\b/, /\b(?:years?|months?|weeks?|days?)\b/, /\b(?:costs?|fees?)\b/].map(
  ({ source }) => source,
)

/** Performance figures whose section does not state "simulated" or "past", a period and the costs. */
export async function figuresWithoutContext(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ figures, context }) => {
      const patterns = figures.map((source) => new RegExp(source, 'i'))
      const found: string[] = []
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      while (texts.nextNode()) {
        const { data, parentElement } = texts.currentNode as Text
        if (!patterns.some((pattern) => pattern.test(data))) continue
        if (parentElement?.closest('script, style, code, [data-plain]')) continue
        const around = parentElement?.closest('figure, section, article') ?? parentElement
        if (!context.every((source) => new RegExp(source, 'i').test(around?.textContent ?? '')))
          found.push(data.trim())
      }
      return found
    },
    { figures: FIGURES, context: CONTEXT },
  )
}

/** Links to invest in the main content whose section has no risk warning with a link to the risks. */
export async function linksWithoutWarning(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const hasWarning = (part: Element | null) =>
      part?.textContent?.includes('You could lose all the money you invest') === true &&
      part.querySelector('a[href="/risk-disclosure"]') !== null
    return [...document.querySelectorAll<HTMLAnchorElement>('main a[href]')]
      .filter(
        ({ pathname, textContent }) =>
          pathname === '/sign-up' ||
          pathname === '/dashboard/deposit' ||
          /start trading/i.test(textContent ?? ''),
      )
      .filter((link) => !hasWarning(link.closest('section, header')))
      .map((link) => `${link.textContent?.trim()} (${link.pathname})`)
  })
}

/** Ids of the claims marked on a page, sorted. */
export async function claimsOn(page: Page): Promise<string[]> {
  const ids = await page
    .locator('[data-claim]')
    .evaluateAll((marked) => marked.flatMap((each) => (each.getAttribute('data-claim') ?? '').split(/\s+/)))
  return [...new Set(ids.filter(Boolean))].sort()
}

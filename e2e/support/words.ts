import type { Page } from '@playwright/test'

/**
 * Words that claim something wherever they stand. A sentence with one of them names a claim of the register, or is marked
 * as one that claims nothing (`data-plain`), such as a warning.
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

/** What names a thing rather than saying something of it. */
const LABELS =
  'h1, h2, h3, h4, h5, h6, a, button, summary, th, dt, label, legend, nav, title, code, script, style'

/** The texts of a page in which a watched word stands outside the words of a claim. */
export async function unbackedWords(page: Page): Promise<string[]> {
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

/** What sounds like a result somebody had or could have. */
const FIGURES = [
  /(?:^|[\s(])[+±−-]\s?\d+(?:[.,]\d+)?\s?%/,
  /[+−-]\s?\$\s?\d/,
  /\b(?:returns?|yields?|gains?|profits?|earn\w*|win\w*|grow\w*)\s+(?:of\s+|by\s+|up to\s+|over\s+|more than\s+)*\$?\d/,
  /\d\s?%\s+(?:a|an|per|each|every)\s+(?:day|week|month|quarter|year)\b|\bannuali[sz]ed\b|\bAP[YR]\b/,
].map(({ source }) => source)

/** What stands around such a figure: what kind it is, over which time, and at which cost. */
const SAID_WITH_IT = [
  /\b(?:simulated|past)\b/,
  /\b(?:years?|months?|weeks?|days?)\b/,
  /\b(?:costs?|fees?)\b/,
].map(({ source }) => source)

/** The figures of performance whose drawing or section doesn't say "simulated" or "past", a period and the costs. */
export async function bareFigures(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ figures, said }) => {
      const patterns = figures.map((source) => new RegExp(source, 'i'))
      const found: string[] = []
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      while (texts.nextNode()) {
        const { data, parentElement } = texts.currentNode as Text
        if (!patterns.some((pattern) => pattern.test(data))) continue
        if (parentElement?.closest('script, style, code, [data-plain]')) continue
        const around = parentElement?.closest('figure, section, article') ?? parentElement
        if (!said.every((source) => new RegExp(source, 'i').test(around?.textContent ?? '')))
          found.push(data.trim())
      }
      return found
    },
    { figures: FIGURES, said: SAID_WITH_IT },
  )
}

/** The calls to invest in what a page says itself whose section does not warn of the loss, with a link to the risks. */
export async function unwarnedCalls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const warned = (part: Element | null) =>
      part?.textContent?.includes('You could lose all the money you invest') === true &&
      part.querySelector('a[href="/risk-disclosure"]') !== null
    return [...document.querySelectorAll<HTMLAnchorElement>('main a[href]')]
      .filter(
        ({ pathname, textContent }) =>
          pathname === '/sign-up' ||
          pathname === '/dashboard/deposit' ||
          /start trading/i.test(textContent ?? ''),
      )
      .filter((link) => !warned(link.closest('section, header')))
      .map((link) => `${link.textContent?.trim()} (${link.pathname})`)
  })
}

/** The claims that the page's marked words make. */
export async function claimsMade(page: Page): Promise<string[]> {
  const ids = await page
    .locator('[data-claim]')
    .evaluateAll((marked) => marked.flatMap((each) => (each.getAttribute('data-claim') ?? '').split(/\s+/)))
  return [...new Set(ids.filter(Boolean))].sort()
}

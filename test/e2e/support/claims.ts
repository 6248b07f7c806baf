import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { parse } from 'yaml'
import { type Claim, claim } from '../../../src/content/schemas.ts'
import { openFiles } from '../../../src/pages/_site/claims/files.ts'
import { findUses } from '../../../src/pages/_site/claims/uses.ts'
import { PRACTICE_NOTICE, site } from '../../../src/site.ts'
import { type BuiltPage, MISSING } from './pages.ts'
import { expect } from './test.ts'
import { claimsOn, figuresWithoutContext, linksWithoutWarning, wordsOutsideClaims } from './words.ts'

export const root = resolve(import.meta.dirname, '../../..')
const folder = join(root, 'src/content/claims')
export const register = new Map<string, Claim>(
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => [name.replace('.yaml', ''), claim.parse(parse(readFileSync(join(folder, name), 'utf8')))]),
)
export const claimIdsWith = (standing: Claim['standing']) =>
  [...register].filter(([, { standing: own }]) => own === standing).map(([id]) => id)

/** Checks a page against the claims register: it makes exactly the claims listed for it, and no claim outside marked text. */
export async function expectRegisteredClaims(page: Page, { path, area }: BuiltPage): Promise<void> {
  const found = await claimsOn(page)
  expect.soft(found.filter((id) => !register.has(id))).toEqual([])
  expect.soft(found.filter((id) => claimIdsWith('planned').includes(id))).toEqual([])
  if (path !== MISSING)
    expect.soft(found, 'claims that the register lists for this page').toEqual(listedFor({ path, area }))
  expect.soft(await wordsOutsideClaims(page), 'watched words outside a claim').toEqual([])
  expect
    .soft(await figuresWithoutContext(page), 'performance figures without kind, period and costs')
    .toEqual([])
  if (area !== 'public') return
  expect.soft(await linksWithoutWarning(page), 'links to invest without a risk warning').toEqual([])
  expect.soft(await countFirstWarnings(page), 'risk warnings on the first screen').toBeGreaterThan(0)
  await expect
    .soft(page.getByText(PRACTICE_NOTICE).filter({ visible: true }))
    .toHaveCount(site.mode === 'simulated' ? 1 : 0)
}

/** Visible warnings with a link to the risks above the lower edge of the first screen. */
function countFirstWarnings(page: Page): Promise<number> {
  return page.locator('a[href="/risk-disclosure"]').evaluateAll(
    (links) =>
      links.filter((link) => {
        const { top, height } = link.getBoundingClientRect()
        const words = link.parentElement?.textContent ?? ''
        return (
          height > 0 &&
          top + scrollY < innerHeight &&
          words.includes('You could lose all the money you invest')
        )
      }).length,
  )
}

let uses: ReturnType<typeof findUses> | undefined

function listedFor({ path, area }: BuiltPage): string[] {
  uses ??= findUses(openFiles(root))
  return [...uses]
    .filter(([, { everywhere, pages }]) => (everywhere && area === 'public') || pages.includes(path))
    .map(([id]) => id)
    .sort()
}

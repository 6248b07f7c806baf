import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { parse } from 'yaml'
import { type Claim, claim } from '../../src/content/schemas.ts'
import { filesOf } from '../../src/pages/_site/claims/files.ts'
import { usesOf } from '../../src/pages/_site/claims/uses.ts'
import { type BuiltPage, MISSING } from './pages.ts'
import { expect } from './test.ts'
import { bareFigures, claimsMade, unbackedWords, unwarnedCalls } from './words.ts'

export const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'src/content/claims')
export const register = new Map<string, Claim>(
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => [name.replace('.yaml', ''), claim.parse(parse(readFileSync(join(folder, name), 'utf8')))]),
)
export const withStanding = (standing: Claim['standing']) =>
  [...register].filter(([, { standing: own }]) => own === standing).map(([id]) => id)

/** Holds what a page says to the register of claims: it makes those that are listed for it, and no other in other words. */
export async function expectBacked(page: Page, { path, area }: BuiltPage): Promise<void> {
  const made = await claimsMade(page)
  expect.soft(made.filter((id) => !register.has(id))).toEqual([])
  expect.soft(made.filter((id) => withStanding('planned').includes(id))).toEqual([])
  if (path !== MISSING)
    expect.soft(made, 'as the register says where each claim is made').toEqual(listedFor({ path, area }))
  expect.soft(await unbackedWords(page), 'words that claim something without a claim').toEqual([])
  expect
    .soft(await bareFigures(page), 'figures of performance without their kind, period and costs')
    .toEqual([])
  if (area !== 'public') return
  expect.soft(await unwarnedCalls(page), 'calls to invest without the warning beside them').toEqual([])
  const strip = page.getByRole('complementary', { name: 'Risk' })
  await expect.soft(strip).toContainText('You could lose all the money you invest')
  await expect
    .soft(strip.getByRole('link', { name: 'Read the risks' }))
    .toHaveAttribute('href', '/risk-disclosure')
}

let uses: ReturnType<typeof usesOf> | undefined

function listedFor({ path, area }: BuiltPage): string[] {
  uses ??= usesOf(filesOf(root))
  return [...uses]
    .filter(([, { everywhere, pages }]) => (everywhere && area === 'public') || pages.includes(path))
    .map(([id]) => id)
    .sort()
}

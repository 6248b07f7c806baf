import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { operatorSession, PASSWORD, type Session, signedIn } from './people.ts'

const folder = resolve(import.meta.dirname, '../../src/pages')

/** Who may see a page, which is also what it may weigh. */
type Area = 'public' | 'auth' | 'dashboard' | 'operator'

export interface BuiltPage {
  path: string
  area: Area
}

/** An address without a page. */
export const MISSING = '/no-such-page'

/** One address that stands for all of those made from the same source: the one with most to show. */
const EXAMPLES: Record<string, string> = {
  '/claims/[id]': '/claims/documents-encrypted',
  '/strategies/[slug]': '/strategies/buy-the-dip',
}

/** Every page of the site, found in the sources so that a new one is covered: all but parts, and `_site/design`, which development alone has. */
export const pages: readonly BuiltPage[] = files('')
  .filter((file) => !/(?:^|\/)_/.test(file))
  .map((file) => pathOf(file))
  .sort()
  .map((path) => ({ path, area: areaOf(path) }))

function files(under: string): string[] {
  return readdirSync(join(folder, under), { withFileTypes: true }).flatMap((entry) => {
    const path = under === '' ? entry.name : `${under}/${entry.name}`
    if (entry.isDirectory()) return files(path)
    return /\.(?:astro|mdx?)$/.test(entry.name) ? [path] : []
  })
}

function pathOf(file: string): string {
  const path = `/${file.replace(/\.\w+$/, '')}`.replace(/\/index$/, '')
  if (path === '/404') return MISSING
  return path === '' ? '/' : (EXAMPLES[path] ?? path)
}

function areaOf(path: string): Area {
  if (
    /^\/(?:sign-|forgot-password|verify-email|check-email|change-password|accept-invitation|recover-second-factor)/.test(
      path,
    )
  )
    return 'auth'
  if (path.startsWith('/dashboard/')) return 'dashboard'
  return /^\/operator(?:\/|$)/.test(path) ? 'operator' : 'public'
}

/** Who has most to see in an area: the seeded investor has some history. */
export async function whoSeesMost(area: Area): Promise<Session | null> {
  if (area === 'operator') return operatorSession('first')
  if (area !== 'dashboard') return null
  seededInvestor ??= signedIn({ email: 'investor@example.com', password: PASSWORD })
  return seededInvestor
}

/** Signed in once for all tests of a worker. */
let seededInvestor: Promise<Session> | undefined

import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createSession, operatorSession, PASSWORD, type Session } from './people.ts'

const folder = resolve(import.meta.dirname, '../../../src/pages')

/** Decides who may open a page and its size budget. */
type Area = 'public' | 'auth' | 'dashboard' | 'operator'

export interface BuiltPage {
  path: string
  area: Area
}

/** An address that has no page. The dashboard and the console have one each below their own path. */
export const MISSING = '/no-such-page'

export function isMissing(path: string): boolean {
  return path.endsWith(MISSING)
}

/** The pages to test for each dynamic route: the ones with the most content. */
const EXAMPLES: Record<string, readonly string[]> = {
  '/claims/[id]': ['/claims/documents-encrypted'],
  '/docs/[area]': ['/docs/users'],
  '/strategies/[...test]': [
    '/strategies/buy-the-dip',
    '/strategies/strongest-two/basket',
    '/strategies/slow-trend/simulated',
  ],
}

/** Every page of the site, read from the sources so that new pages are tested too. Files under `_` are parts, not pages. */
export const pages: readonly BuiltPage[] = files('')
  .filter((file) => !/(?:^|\/)_/.test(file))
  .flatMap((file) => listPaths(file))
  .sort()
  .map((path) => ({ path, area: areaOf(path) }))

function files(under: string): string[] {
  return readdirSync(join(folder, under), { withFileTypes: true }).flatMap((entry) => {
    const path = under === '' ? entry.name : `${under}/${entry.name}`
    if (entry.isDirectory()) return files(path)
    return /\.(?:astro|mdx?)$/.test(entry.name) ? [path] : []
  })
}

function listPaths(file: string): readonly string[] {
  const path = `/${file.replace(/\.\w+$/, '')}`.replace(/\/index$/, '')
  if (path.endsWith('/404')) return [path.replace('/404', MISSING)]
  return EXAMPLES[path] ?? [path === '' ? '/' : path]
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

/** The session with the most content in an area. The seeded investor has some history. */
export async function sessionFor(area: Area): Promise<Session | null> {
  if (area === 'operator') return operatorSession('first')
  if (area !== 'dashboard') return null
  seededInvestor ??= createSession({ email: 'investor@example.com', password: PASSWORD })
  return seededInvestor
}

// Signs in once for all tests of a Playwright worker.
let seededInvestor: Promise<Session> | undefined

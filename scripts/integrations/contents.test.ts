import { expect, test, vi } from 'vitest'
import { developmentPages } from './contents.ts'

/** The routes that are added to a run of Astro. */
function added(command: 'build' | 'dev', buildFor: string | undefined): string[] {
  vi.stubEnv('BUILD_FOR', buildFor)
  const addresses: string[] = []
  const setUp = developmentPages().hooks['astro:config:setup']
  // The integration only uses these two parameters.
  const handed = {
    command,
    injectRoute: ({ pattern }: { pattern: string }) => addresses.push(pattern),
  } as unknown as Parameters<NonNullable<typeof setUp>>[0]
  setUp?.(handed)
  vi.unstubAllEnvs()
  return addresses
}

test('the pages for development are there while pages are edited, and in a build made for it', () => {
  expect(added('dev', undefined)).toEqual(['/design'])
  expect(added('build', 'development')).toEqual(['/design'])
})

test('every other build leaves them out, also without a setting', () => {
  expect(added('build', 'production')).toEqual([])
  expect(added('build', undefined)).toEqual([])
})

import { expect, test } from 'vitest'
import { toLinkPath } from './links.ts'

test('a page has one path, built or served while it is edited', () => {
  const paths = [
    '/',
    '/index.html',
    '/about-us',
    '/about-us.html',
    '/claims.html',
    '/claims/index.html',
    '/claims/fees.html',
  ]
  expect(paths.map((path) => toLinkPath(new URL(path, 'https://evenkeel.example')))).toEqual([
    '/',
    '/',
    '/about-us',
    '/about-us',
    '/claims',
    '/claims',
    '/claims/fees',
  ])
})

import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const THE_MODULE = 'src/contract/dates.ts'
/** What formats a date for people: the platform's own functions, and options that only they know. */
const FORMATTING =
  /DateTimeFormat|\.to(?:LocaleDate|LocaleTime|Date|Time|UTC|GMT)String\(|\b(?:dateStyle|timeStyle):|\b(?:month|weekday): '|new Date\([^\n]*\)\.toLocaleString\(/

test('only one module formats dates, so that all pages and mails show them alike', () => {
  const files = ['src', 'worker'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  const sources = files.filter((path) => /\.(?:tsx?|astro)$/.test(path) && !/\.test\.ts$/.test(path))
  const formatting = sources.filter((path) => FORMATTING.test(readFileSync(join(root, path), 'utf8')))
  expect(formatting).toEqual([THE_MODULE])
})

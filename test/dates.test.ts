import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const THE_MODULE = 'src/contract/dates.ts'
/** Reads the clock of a zone, and shows nothing. */
const ZONES = 'src/contract/timeZones.ts'
/** What formats a date for people: the platform's own functions, and options that only they know. */
const FORMATTING =
  /DateTimeFormat|\.to(?:LocaleDate|LocaleTime|Date|Time|UTC|GMT)String\(|\b(?:dateStyle|timeStyle):|\b(?:month|weekday): '|new Date\([^\n]*\)\.toLocaleString\(/

test('only one module formats dates, so that all pages and mails show them alike', () => {
  const files = ['src', 'worker'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  const sources = files.filter((path) => /\.(?:tsx?|astro)$/.test(path) && !/\.test\.ts$/.test(path))
  const formatting = sources.filter((path) => FORMATTING.test(readFileSync(join(root, path), 'utf8')))
  expect(formatting).toEqual([THE_MODULE, ZONES])
})

test('the console shows moments in two forms: one in the cells of tables, one in texts, facts and timelines', () => {
  const folder = 'src/islands/console'
  const screens = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(?<!\.test)\.tsx?$/.test(path),
  )
  const problems = screens.flatMap((path) => {
    const lines = readFileSync(join(root, folder, path), 'utf8').split('\n')
    return lines.flatMap((line, index) =>
      findSecondForm(lines, index).map((problem) => `${path}: ${line.trim()}: ${problem}`),
    )
  })
  expect(problems).toEqual([])
})

function findSecondForm(lines: readonly string[], index: number): string[] {
  const line = lines[index] ?? ''
  const component = /<(TableDate|DateTime)\b/.exec(line)?.[1]
  const imported = /\{ (.*) \} from '.*contract\/dates\.ts'/.exec(line)?.[1]?.split(', ') ?? []
  return [
    ...(component === undefined || (component === 'TableDate') === isInCell(lines, index)
      ? []
      : ['TableDate is for the cells of tables, DateTime for everything else']),
    ...(/ timeZone=/.test(line) && !/ show="date"/.test(line) ? ['times are in the zone of the reader'] : []),
    // For sentences in plain text, for the line that names the zone, and for months, which are no moments.
    ...imported.filter((name) => !['formatDateTime', 'getReaderTimeZone', 'formatMonth'].includes(name)),
  ]
}

/** Whether a line stands in the cell of a table, by the indentation of the lines around it. */
function isInCell(lines: readonly string[], index: number): boolean {
  let indent = Number.POSITIVE_INFINITY
  return lines
    .slice(0, index + 1)
    .toReversed()
    .some((line) => {
      const at = line.search(/\S/)
      if (at < 0 || at >= indent) return false
      indent = at
      return /\b\w*[cC]ell\b/.test(line)
    })
}

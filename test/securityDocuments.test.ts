import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openFiles } from '../src/pages/_site/claims/files.ts'
import { testSource } from '../src/pages/_site/claims/testSource.ts'

const folder = resolve(import.meta.dirname, '../docs/security')
const files = openFiles(resolve(import.meta.dirname, '..'))
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

interface Named {
  file: string
  name: string
}

/** The tests that a text names, in the form: `file` “name”, “another test of that file”. */
function namedIn(text: string): Named[] {
  return [...text.matchAll(/`([^`]+\.(?:test|spec)\.tsx?)` ((?:“[^”]+”(?:, )?)+)/g)].flatMap(
    ([, file = '', names = '']) => [...names.matchAll(/“([^”]+)”/g)].map(([, name = '']) => ({ file, name })),
  )
}

function missing(named: readonly Named[]): string[] {
  return named
    .filter(({ file, name }) => testSource(files.read(file) ?? '', name) === undefined)
    .map(({ file, name }) => `${file} has no test that runs and is called “${name}”`)
}

describe('the threat model', () => {
  const rows = read('threats.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| asset'))

  test('names a test that runs for each defence', () => {
    expect(rows.length).toBeGreaterThan(40)
    expect(rows.filter((row) => namedIn(row).length === 0)).toEqual([])
    expect(missing(rows.flatMap(namedIn))).toEqual([])
  })
})

describe('the list of requirements', () => {
  const text = read('asvs.md')
  const rows = text
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => {
      const [, id = '', level = '', , standing = '', by = ''] = line.split(' | ').join('|').split('|')
      return { id: id.trim(), level: level.trim(), standing: standing.trim(), by }
    })

  test('has every requirement of the first two levels, in its order and once', () => {
    const expected = Object.entries(SECTIONS).flatMap(([section, count]) =>
      Array.from({ length: count }, (_, index) => `${section}.${index + 1}`),
    )
    expect(rows.map(({ id }) => id)).toEqual(expected)
    expect(rows.filter(({ level }) => level !== '1' && level !== '2')).toEqual([])
  })

  test('has the status of each, an existing test for each shown one, and the right counts', () => {
    const counts: Record<string, number> = {}
    for (const { id, standing, by } of rows) {
      counts[standing] = (counts[standing] ?? 0) + 1
      expect([id, STANDINGS.includes(standing), by.trim().length > 2]).toEqual([id, true, true])
      if (standing === 'shown') expect([id, namedIn(by).length > 0]).toEqual([id, true])
    }
    expect(missing(rows.flatMap(({ by }) => namedIn(by)))).toEqual([])
    const said = STANDINGS.map((standing) => `${counts[standing]} are ${standing}`).join(', ')
    expect(text).toContain(`Of ${rows.length} requirements ${said}.`)
  })
})

test('a missing test is noticed', () => {
  const named = namedIn('| a | b | `test/securityDocuments.test.ts` “no such test”, “nor this” |')
  expect(missing(named)).toHaveLength(2)
})

const STANDINGS = ['shown', 'by design', 'deviates', 'open', 'not applicable']

/**
 * The number of requirements of levels 1 and 2 in each section of ASVS 5.0.0, where they come before those of level 3. Chapters V9, V10
 * and V17 are left out, as are sections with level 3 only.
 */
const SECTIONS: Readonly<Record<string, number>> = {
  ...{ '1.1': 2, '1.2': 9, '1.3': 11, '1.4': 3, '1.5': 2 },
  ...{ '2.1': 3, '2.2': 3, '2.3': 4, '2.4': 1 },
  ...{ '3.2': 2, '3.3': 4, '3.4': 6, '3.5': 5, '3.7': 2 },
  ...{ '4.1': 3, '4.2': 1, '4.3': 2, '4.4': 4 },
  ...{ '5.1': 1, '5.2': 3, '5.3': 2, '5.4': 3 },
  ...{ '6.1': 3, '6.2': 12, '6.3': 4, '6.4': 4, '6.5': 5, '6.6': 3, '6.8': 4 },
  ...{ '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5, '7.5': 2, '7.6': 2 },
  ...{ '8.1': 2, '8.2': 3, '8.3': 1, '8.4': 1 },
  ...{ '11.1': 2, '11.2': 3, '11.3': 3, '11.4': 4, '11.5': 1, '11.6': 1 },
  ...{ '12.1': 3, '12.2': 2, '12.3': 4 },
  ...{ '13.1': 1, '13.2': 5, '13.3': 2, '13.4': 5 },
  ...{ '14.1': 2, '14.2': 4, '14.3': 3 },
  ...{ '15.1': 3, '15.2': 3, '15.3': 7 },
  ...{ '16.1': 1, '16.2': 5, '16.3': 4, '16.4': 3, '16.5': 3 },
}

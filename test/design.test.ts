import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
/** Shown through others: what every field is made of, and what every layout holds. */
const WITHIN_OTHERS = ['ChartLegend.tsx', 'ChartTable.tsx', 'Field.tsx', 'Toaster.tsx']

test('the page /design shows every piece of the design', () => {
  const folder = join(root, 'src/pages/_site/design')
  const page = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
  const missing = readdirSync(join(root, 'src/design'))
    .filter((name) => /^[A-Z]\w+\.(?:tsx|astro)$/.test(name) && !WITHIN_OTHERS.includes(name))
    .filter((name) => !page.includes(`/design/${name}'`))
  expect(missing).toEqual([])
})

import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
/** Components that the page shows as parts of others. */
const PARTS_OF_OTHERS = ['ChartLegend.tsx', 'ChartTable.tsx', 'Field.tsx', 'Toaster.tsx']

test('the page /design shows every piece of the design', () => {
  const folder = join(root, 'src/pages/_site/design')
  const page = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
  const missing = readdirSync(join(root, 'src/design'))
    .filter((name) => /^[A-Z]\w+\.(?:tsx|astro)$/.test(name) && !PARTS_OF_OTHERS.includes(name))
    .filter((name) => !page.includes(`/design/${name}'`))
  expect(missing).toEqual([])
})

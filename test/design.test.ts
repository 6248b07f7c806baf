import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
/** Components that the page shows as parts of others. */
const PARTS_OF_OTHERS = ['Field', 'FieldNotes', 'Toaster']

test('the page /design shows every piece of the design', () => {
  const folder = join(root, 'src/pages/_site/design')
  const page = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
  const pieces = readdirSync(join(root, 'src/design')).flatMap((name) => {
    if (/^[A-Z]\w+\.astro$/.test(name)) return name.replace('.astro', '')
    if (!/^[A-Z]\w+\.tsx$/.test(name)) return []
    const text = readFileSync(join(root, 'src/design', name), 'utf8')
    return Array.from(text.matchAll(/^export (?:function|class) ([A-Z]\w+)/gm), ([, piece = '']) => piece)
  })
  expect(pieces.length).toBeGreaterThan(40)
  expect(pieces.filter((name) => !PARTS_OF_OTHERS.includes(name) && !page.includes(`<${name}`))).toEqual([])
})

// Otherwise the browser thickens the letters of a regular font.
test('every font family has letters of its own for bold text', () => {
  const fonts = readFileSync(join(root, 'src/design/fonts.css'), 'utf8')
  const boldest = new Map<string, number>()
  for (const [, family = '', face = ''] of fonts.matchAll(/font-family: "([^"]+)";([^}]+)/g)) {
    const weight = Number(/font-weight: (?:\d+ )?(\d+);/.exec(face)?.[1] ?? 400)
    boldest.set(family, Math.max(weight, boldest.get(family) ?? 0))
  }
  expect(boldest.size).toBeGreaterThan(8)
  expect([...boldest].filter(([, weight]) => weight < 600)).toEqual([])
})

import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/**
 * An expression in JSX that ends in what a person wrote: `{investor.name}`, `{bank.accountHolderName}`. Strategies, assets and the
 * lines of charts are named by us.
 */
const PERSONS_TEXT =
  /(?<![=\w$])\{((?!(?:asset|order|line|strategy|network|market)\.)(?:[A-Za-z_]\w*(?:\?\.|\.))+(?:name|fullname|displayName|by|author|investorName|bankName|accountHolderName|firstName|surname|reason|rejection|answeredBy|closedBy|decidedBy))\}/g

it('what a person wrote is isolated wherever it stands in a sentence, so that it cannot reorder the words around it', () => {
  const files = globSync('src/{islands,design}/**/*.tsx', { cwd: root }).filter(
    (file) => !file.includes('.test.'),
  )
  const found: string[] = []
  let isolated = 0
  for (const file of files) {
    const text = readFileSync(resolve(root, file), 'utf8')
    for (const match of text.matchAll(PERSONS_TEXT)) {
      if (text.slice(0, match.index).endsWith('<bdi>')) isolated++
      else found.push(`${file}: ${match[0]}`)
    }
  }
  expect(found).toEqual([])
  expect(isolated).toBeGreaterThan(20)
})

import { existsSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { CONDITIONS } from './simulator/conditions.ts'
import { DEFECTS } from './simulator/defects.ts'

const root = resolve(import.meta.dirname, '..')

it('each planted change stands once in its file, under a name of its own, and its tests exist', () => {
  const changes = [...DEFECTS, ...CONDITIONS]
  const names = changes.map(({ name }) => name)
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([])
  const texts = new Map(changes.map(({ file }) => [file, readFileSync(resolve(root, file), 'utf8')]))
  expect(changes.filter(({ file, find }) => texts.get(file)?.split(find).length !== 2)).toEqual([])
  expect(changes.filter(({ find, replace }) => find === replace)).toEqual([])
  const tests = new Set([...DEFECTS, ...CONDITIONS].flatMap((change) => change.tests ?? []))
  expect([...tests].filter((test) => !existsSync(resolve(root, test)))).toEqual([])
})

it('each planted change leaves a program that can be parsed', () => {
  const parsed = [...DEFECTS, ...CONDITIONS].filter(({ file }) => file.endsWith('.ts'))
  const broken = parsed.filter(({ file, find, replace }) => {
    const changed = readFileSync(resolve(root, file), 'utf8').split(find).join(replace)
    try {
      return stripTypeScriptTypes(changed) === ''
    } catch {
      return true
    }
  })
  expect(broken.map(({ name }) => name)).toEqual([])
})

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** Tracked and new files whose path matches, without ignored ones. */
function projectFiles(pattern: RegExp): { path: string; text: string }[] {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => pattern.test(path) && path !== 'test/checks.test.ts')
    .flatMap((path) => {
      try {
        return [{ path, text: readFileSync(resolve(root, path), 'utf8') }]
      } catch {
        return [] // deleted but not yet committed
      }
    })
}

/** Lines that match, each with its file and number. */
function linesMatching(pattern: RegExp, files: { path: string; text: string }[]): string[] {
  return files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
  )
}

const code = projectFiles(/\.(?:tsx?|mjs|astro)$/)

it('no test is skipped, focused or left to be written', () => {
  expect(linesMatching(/\b(?:it|test|describe)\.(?:skip|only|todo|fixme)\b|\btest\.fail\(/, code)).toEqual([])
})

it('no check is switched off in the code', () => {
  expect(
    linesMatching(/@ts-(?:ignore|nocheck|expect-error)|biome-ignore|\bas any(?=[)\].,;>]|$)/, code),
  ).toEqual([])
})

it('there are no barrel files', () => {
  const barrels = code.filter(
    ({ path, text }) => /(?:^|\/)index\.tsx?$/.test(path) && /^export (?:\*|\{)[^;]*from/m.test(text),
  )
  expect(barrels.map(({ path }) => path)).toEqual([])
})

it('no file has a vague name', () => {
  const vaguePaths = code.filter(({ path }) =>
    /(?:^|\/)(?:utils?|helpers?|misc|common-?stuff|manager)(?:\.|\/)/.test(path),
  )
  expect(vaguePaths.map(({ path }) => path)).toEqual([])
})

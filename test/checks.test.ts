import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** Files under version control and new ones, but for what is ignored. */
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
        return [] // deleted, not yet committed
      }
    })
}

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

it('no file gathers others to hand them on', () => {
  const barrels = code.filter(
    ({ path, text }) => /(?:^|\/)index\.tsx?$/.test(path) && /^export (?:\*|\{)[^;]*from/m.test(text),
  )
  expect(barrels.map(({ path }) => path)).toEqual([])
})

it('no name says nothing', () => {
  const vague = code.filter(({ path }) =>
    /(?:^|\/)(?:utils?|helpers?|misc|common-?stuff|manager)(?:\.|\/)/.test(path),
  )
  expect(vague.map(({ path }) => path)).toEqual([])
})

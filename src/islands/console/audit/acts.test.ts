import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ACTS } from './acts.ts'

const root = join(import.meta.dirname, '../../../..')

function sources(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.endsWith('.test.ts') && !name.startsWith('dev/'))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'))
}

/** Acts as the code names them: after `action:`, also where one of two is chosen, and in the contract's lists. */
function actsWritten(): Set<string> {
  const written = [
    ...sources('worker', '.ts').flatMap((text) => [...text.matchAll(/\baction: ([^,}]+)/g)]),
    ...sources('src/contract', '.ts').flatMap((text) => [...text.matchAll(/\baudit: \[([^\]]+)\]/g)]),
  ].flatMap(([, words = '']) => [...words.matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map(([, act = '']) => act))
  const inSql = sources('migrations', '.sql').flatMap((text) =>
    [...text.matchAll(/'owner', '([a-z_]+\.[a-z_]+)'/g)].map(([, act = '']) => act),
  )
  return new Set([...written, ...inSql])
}

test('every act that is written on the audit log has words', () => {
  const written = actsWritten()
  expect(written.size).toBeGreaterThan(50)
  expect([...written].filter((act) => ACTS[act] === undefined)).toEqual([])
})

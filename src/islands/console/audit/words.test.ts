import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AuditEntry } from '../../../contract/console/audit.ts'
import { ACTION_WORDS, sentenceOf } from './words.ts'

const line: AuditEntry = {
  _id: 'l',
  line: 7,
  at: '2026-01-31T09:00:00.000Z',
  actor: 'o',
  actorName: 'Sample Operator',
  action: 'deposit.credited',
  subject: 'd',
  about: { kind: 'deposit', ref: 'DEP-7F3K', person: 'i', name: 'Sample Investor' },
}
const said = (entry: Partial<AuditEntry>) => {
  const { before, subject, after } = sentenceOf({ ...line, ...entry })
  return before + subject + after
}

test('a line says who did what to whom, and leads there', () => {
  expect(said({})).toBe('Sample Operator credited deposit DEP-7F3K of Sample Investor')
  expect(sentenceOf(line).href).toBe('/operator/deposits?status=&open=d')
  const about = { kind: 'investor', ref: null, person: 'i', name: 'Sample Investor' } as const
  expect(said({ action: 'investor.frozen', subject: 'i', about })).toBe(
    'Sample Operator froze the account of Sample Investor',
  )
})

test('what is one’s own is not said to be of somebody', () => {
  const own = { actor: 'i', actorName: 'Sample Investor' }
  expect(said({ ...own, action: 'deposit.requested' })).toBe('Sample Investor announced deposit DEP-7F3K')
  expect(said({ ...own, action: 'session.opened', about: null })).toBe('Sample Investor signed in')
})

test('the platform, who has the database and unknown acts have words, too', () => {
  const nobody = { actorName: null, about: null }
  expect(said({ ...nobody, actor: 'system', action: 'settings.changed', subject: 'kycRequired' })).toBe(
    'The platform changed the setting kycRequired',
  )
  expect(said({ ...nobody, actor: 'owner', action: 'operator.disabled', subject: 'x' })).toBe(
    'Whoever has the database disabled x',
  )
  expect(said({ ...nobody, actor: 'gone', action: 'moon.eaten', subject: 'x' })).toBe(
    'gone did moon.eaten to x',
  )
})

const root = join(import.meta.dirname, '../../../..')

function sources(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.endsWith('.test.ts') && !name.startsWith('dev/'))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'))
}

/** The actions that the code names: after `action:`, and in the contract's `audit` lists. */
function actionsWritten(): Set<string> {
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
  const written = actionsWritten()
  expect(written.size).toBeGreaterThan(50)
  expect([...written].filter((act) => ACTION_WORDS[act] === undefined)).toEqual([])
})

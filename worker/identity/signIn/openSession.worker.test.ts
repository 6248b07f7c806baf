import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { newInvestor } from '../../../test/support/people.ts'
import { openDatabase, runBatch } from '../../lib/database.ts'
import { hasPasswordChanged, openSession } from './openSession.ts'

const opening = { nowMs: Date.now(), deviceHash: null, ip: '203.0.113.1', userAgent: 'test' }

test('a session does not open with a password that was replaced after it was checked', async () => {
  const ana = await newInvestor()
  const db = openDatabase(env.DB)
  const stored = await env.DB.prepare('SELECT password_hash FROM users WHERE id = ?')
    .bind(ana.id)
    .first<string>('password_hash')
  const right = await openSession(env, db, { ...opening, userId: ana.id, passwordHash: stored ?? '' })
  await runBatch(db, [right.statement])
  const stale = await openSession(env, db, { ...opening, userId: ana.id, passwordHash: 'the one before' })
  const error: unknown = await runBatch(db, [stale.statement]).catch((failure: unknown) => failure)
  expect(hasPasswordChanged(error)).toBe(true)
  const sessions = await env.DB.prepare('SELECT count(*) AS n FROM sessions WHERE user_id = ?')
    .bind(ana.id)
    .first('n')
  expect(sessions).toBe(2)
})

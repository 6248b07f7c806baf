import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { mailTo } from '../../../test/support/mailbox.ts'
import { newOperator } from '../../../test/support/people.ts'
import { openDatabase } from '../../lib/database.ts'
import { checkExchange } from './exchange.ts'
import { runSelfChecks } from './run.ts'

const db = openDatabase(env.DB)
const trading = { ...env, VENUE: 'kraken' }
const MINUTE_MS = 60_000

test('an exchange that differs, cannot be asked or was not compared is an alarm and a mail', async () => {
  const administrator = await newOperator()
  const nowMs = Date.now()
  const findings = async (laterMs = 0) => (await checkExchange(db, null, nowMs + laterMs, trading)).findings
  const compared = (state: string, sinceMs: number) =>
    env.DB.prepare('INSERT OR REPLACE INTO venue_checks (venue, at, state, since) VALUES (?, ?, ?, ?)')
      .bind('kraken', nowMs, state, nowMs - sinceMs)
      .run()
  expect(await findings()).toEqual(['Kraken was not compared with our books in the last ten minutes'])
  await compared('equal', 0)
  expect(await findings()).toEqual([])
  expect(await findings(11 * MINUTE_MS)).toHaveLength(1)
  expect((await checkExchange(db, null, nowMs + 11 * MINUTE_MS, env)).findings).toEqual([])
  await compared('unreachable', 9 * MINUTE_MS)
  expect(await findings()).toEqual([])
  await compared('unreachable', 10 * MINUTE_MS)
  expect(await findings()).toEqual(['Kraken cannot be compared with our books'])
  await compared('different', 0)
  await runSelfChecks(trading, db, nowMs)
  expect((await mailTo(administrator.email, /the exchange/)).text).toContain(
    'Kraken holds something other than our books say',
  )
})

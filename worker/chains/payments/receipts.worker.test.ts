import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import type { Receipt } from '../../../src/contract/money/ownPayments.ts'
import type { Wallet } from '../../../src/contract/money/wallets.ts'
import { DAY_MS } from '../../../src/time.ts'
import { mailTo } from '../../../test/support/mailbox.ts'
import { newInvestor, type Person } from '../../../test/support/people.ts'
import { callObserved, newWatchWallet } from '../../../test/support/watchWallets.ts'
import { openDatabase } from '../../lib/database.ts'
import { mailReceipts } from './receipts.ts'

beforeAll(() => newWatchWallet('ethereum'))

const list = async ({ token }: Person) =>
  (await callObserved<Receipt[]>('GET', '/payments/receipts', { token })).body

/** Records a receipt as the observer does. */
async function receive(person: Person, kind: string, quantity: string, seenAt: number): Promise<void> {
  const { body } = await callObserved<Wallet[]>('GET', '/admin-wallets', { token: person.token })
  const address = body.find(({ network }) => network === 'eth')?.address
  const contract = kind === 'token' ? `0x${'fa'.repeat(20)}` : null
  await env.DB.prepare(
    `INSERT INTO unknown_receipts (id, chain, reference, address, investor, kind, contract, quantity, height, seen_at)
     VALUES (?1, 'ethereum', ?1, ?2, ?3, ?4, ?5, ?6, 7, ?7)`,
  )
    .bind(crypto.randomUUID(), address, person.id, kind, contract, quantity, seenAt)
    .run()
}

test('what cannot be credited is in the list of its investor, who gets one mail a day about it', async () => {
  const [ana, ben] = [await newInvestor(), await newInvestor()]
  const nowMs = Date.now()
  const run = (atMs: number) => mailReceipts(env, openDatabase(env.DB), atMs)
  const mails = async () =>
    (
      await env.DB.prepare('SELECT count(*) AS n FROM outbox WHERE recipient = ?')
        .bind(ana.email)
        .first<{ n: number }>()
    )?.n
  const before = (await mails()) ?? 0
  await receive(ana, 'internal', '500000000000000000', nowMs)
  await receive(ana, 'token', '25000000', nowMs)
  expect(await list(ana)).toMatchObject([
    { network: null, quantity: null, words: expect.stringContaining('a token that we do not take') },
    {
      network: 'eth',
      quantity: '0.5',
      words: expect.stringContaining('A contract sent ether'),
      closedAt: null,
    },
  ])
  expect(await list(ben)).toEqual([])
  await run(nowMs)
  expect((await mailTo(ana.email, /cannot credit/)).text).toContain('deposit addresses')
  await receive(ana, 'token', '1', nowMs + 60_000)
  await run(nowMs + 60_000)
  expect(await mails()).toBe(before + 1)
  await run(nowMs + DAY_MS)
  expect(await mails()).toBe(before + 2)
  await run(nowMs + DAY_MS + 60_000)
  expect(await mails()).toBe(before + 2)
})

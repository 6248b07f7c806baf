import { expect, test } from 'vitest'
import type { Wallet } from '../../../src/contract/money/wallets.ts'
import { callWith } from '../../../test/support/app.ts'
import { setPrice } from '../../../test/support/market.ts'
import { newInvestor } from '../../../test/support/people.ts'
import { callObserved, newWatchWallet, WITH_SERVERS } from '../../../test/support/watchWallets.ts'

const MINUTE_MS = 60_000

test('a receipt that was sent slowly is quoted at the price of its end', async () => {
  await newWatchWallet('bitcoin')
  let nowMs = Date.now()
  await setPrice(57_000, nowMs)
  const { token } = await newInvestor()
  const wallets = await callObserved<Wallet[]>('GET', '/admin-wallets', { token })
  const fields = {
    type: 'bitcoin',
    amount: '2850.00',
    paymentTo: wallets.body.find(({ network }) => network === 'btc')?.address ?? '',
  }
  const parts = Object.entries(fields).map(
    ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const pieces = [...parts, '--b--\r\n'].map((part) => new TextEncoder().encode(part))
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const piece = pieces.shift()
        if (piece === undefined) return controller.close()
        // The price falls while the last piece is held back.
        if (pieces.length === 0) {
          nowMs += 30 * MINUTE_MS
          await setPrice(50_000, nowMs)
        }
        controller.enqueue(piece)
      },
    },
    { highWaterMark: 0 },
  )
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b' }
  const { status, body: answer } = await callWith<{ quote?: { rate: string; until: string } }>(
    WITH_SERVERS,
    'POST',
    '/deposits',
    { token, headers, raw: body },
    () => nowMs,
  )
  expect([status, answer.quote?.rate]).toEqual([201, '50000'])
  expect(Date.parse(answer.quote?.until ?? '')).toBeGreaterThan(nowMs)
})

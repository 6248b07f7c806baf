import { usdOf } from '../../../src/contract/money.ts'
import { site } from '../../../src/site.ts'
import type { ActorCall } from '../../http/call.ts'
import { iso } from '../../http/paging.ts'
import { type Figures, figuresOf, readBooks } from '../../ledger/balances.ts'
import { streamText } from '../../lib/streamText.ts'
import { dataDownloadedMail } from './mail.ts'
import { writeData } from './writeData.ts'

// A passport in the open, in a folder of downloads or in the hands of whoever stole a session, is worse than a letter to support.
const NOTES = [
  'Pictures are not in this file, since whoever finds it would have them: neither identity documents nor receipts. Write to support from the e-mail address of your account to get them.',
  'Secrets are not in it: no password, codes or keys, nor what they are checked against.',
  'The text of mails is not kept once they are delivered. Mails and messages are those of your present e-mail address.',
  'Who decided about you is given as "operator": their names are other people’s data. Their notes among themselves are left out.',
]

/** Where the Total Balance is, in USD: all of these, less `owed`, add up to it. */
const BALANCES = [
  'available',
  'held',
  'allocating',
  'invested',
  'unrealised',
  'owed',
  'totalBalance',
] as const satisfies readonly (keyof Figures)[]

/**
 * Everything held on whoever asks, as a file to save. It is read while it is sent, so it shows each part as of the moment
 * it was read. That it was asked for is on the audit log, and told by mail, before anything is shown.
 */
export async function downloadData(call: ActorCall): Promise<Response> {
  const { actor, db, env, nowMs } = call
  await call.commit({
    audit: [{ action: 'account.data_downloaded', subject: actor.id }],
    mails: [dataDownloadedMail(env, { email: actor.email, displayName: actor.name })],
  })
  const exportedAt = iso(nowMs)
  const [accounts, pending] = await db.batch(readBooks(db, actor.id))
  const figures = figuresOf(accounts, pending[0]?.pending ?? 0)
  const balances = Object.fromEntries(BALANCES.map((name) => [name, usdOf(figures[name])]))
  const data = writeData(env.DB, actor, { exportedAt, notes: NOTES, balances })
  return new Response(streamText(data, call.requestId), {
    headers: {
      'Content-Type': 'application/json',
      'Content-Disposition': `attachment; filename="${site.brand.toLowerCase()}-data-${exportedAt.slice(0, 10)}.json"`,
      'Cache-Control': 'no-store',
    },
  })
}

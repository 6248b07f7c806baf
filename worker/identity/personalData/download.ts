import { toUsd } from '../../../src/contract/money.ts'
import { site } from '../../../src/site.ts'
import type { ActorCall } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { computeFigures, type Figures, readBooks } from '../../ledger/balances.ts'
import { readTogether } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { composeNews } from '../../lib/mail/compose.ts'
import { streamText } from '../../lib/streamText.ts'
import { newPasswordLink } from '../credentials/lockToken.ts'
import { PERSONAL_DATA } from './list.ts'
import { type Person, readPart } from './readPart.ts'

// Pictures are left out: in a downloads folder or a thief's hands, a passport does more harm than a request to support.
const NOTES = [
  'Pictures are not in this file, since whoever finds it would have them: neither identity documents nor receipts. Write to support from the e-mail address of your account to get them.',
  'Secrets are not in it: no password, codes or keys, nor what they are checked against.',
  'The text of mails is not kept once they are delivered. Mails and messages are those of your present e-mail address.',
  'Who decided about you is given as "operator": their names are other people’s data. What they write for each other about a decision is left out.',
]

/** The parts of the Total Balance, in USD; `owed` is subtracted. */
const BALANCES = [
  'available',
  'undone',
  'held',
  'allocating',
  'invested',
  'unrealised',
  'owed',
  'totalBalance',
] as const satisfies readonly (keyof Figures)[]

/**
 * All data about the actor as a file. It is streamed, so each part shows the moment it was read. The download is audited and
 * mailed before anything is sent.
 */
export async function downloadData(call: ActorCall): Promise<Response> {
  const { actor, db, env, nowMs } = call
  await call.commit({
    audit: [{ action: 'account.data_downloaded', subject: actor.id }],
    mails: [
      composeNews(actor.email, 'Your data was downloaded', actor.displayName, [
        `Somebody downloaded a file from your account with all data that ${site.brand} keeps about you. Keep this file where nobody else can find it.`,
        'If it was not you, choose a new password at once and write to us.',
        newPasswordLink(env),
      ]),
    ],
  })
  const exportedAt = toIso(nowMs)
  const [books] = await readTogether(db, readBooks(actor.id))
  const figures = computeFigures(books)
  const balances = Object.fromEntries(BALANCES.map((name) => [name, toUsd(figures[name])]))
  const data = writeData(env.DB, actor, { exportedAt, notes: NOTES, balances })
  return new Response(streamText(data, call.requestId), {
    headers: {
      'Content-Type': 'application/json',
      'Content-Disposition': `attachment; filename="${site.slug}-data-${formatIsoDay(nowMs)}.json"`,
      'Cache-Control': 'no-store',
    },
  })
}

/**
 * The file as JSON, streamed to limit memory use. A truncated file lacks `complete`.
 */
async function* writeData(
  binding: D1Database,
  person: Person,
  head: Readonly<Record<string, unknown>>,
): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)}`
  for (const part of PERSONAL_DATA) {
    const isList = part.key.length > 0
    let text = `,\n"${part.name}":${isList ? '[' : ''}`
    let count = 0
    for await (const rows of readPart(binding, part, person)) {
      for (const row of rows) text += `${count++ > 0 ? ',' : ''}\n${JSON.stringify(row)}`
      yield text
      text = ''
    }
    yield `${text}${isList ? ']' : count === 0 ? 'null' : ''}`
  }
  yield ',\n"complete":true}\n'
}

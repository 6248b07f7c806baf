import { sql } from 'drizzle-orm'
import {
  type exportCarf as exporting,
  MOST_GAPS,
  type getCarfGaps as reading,
} from '../../../src/contract/console/reports.ts'
import { findCountryCode } from '../../../src/contract/countries.ts'
import { COIN_SYMBOLS, type Coin } from '../../../src/contract/money/coins.ts'
import { site } from '../../../src/site.ts'
import { type CallOf, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { openTaxDetails } from '../../identity/tax/tax.ts'
import { type Asset, formatQuantity } from '../../ledger/custody.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { buildQuery, type Database, readTogether } from '../../lib/database.ts'
import { streamText } from '../../lib/streamText.ts'
import { type CarfCoin, type CarfHeader, END_OF_CARF, formatCarfPerson, startCarf } from './carfXml.ts'

/** People read at a time. */
const PAGE = 100

/** How complete a report of a year would be. */
export async function showCarfGaps({ db, query }: CallOf<typeof reading>) {
  let people = 0
  let missing = 0
  const gaps: { _id: string; name: string; lacks: ('tax details' | 'date of birth')[] }[] = []
  for await (const page of listReportable(db, query.year)) {
    for (const { id, name, sealed, bornOn } of page) {
      const lacks = [
        ...(sealed === null ? (['tax details'] as const) : []),
        ...(bornOn === null ? (['date of birth'] as const) : []),
      ]
      if (lacks.length === 0) people += 1
      else if (++missing <= MOST_GAPS) gaps.push({ _id: id, name, lacks })
    }
  }
  return ok({ people, missing, gaps })
}

/** Streams the report. It leaves out people about whom data is missing, whom `showCarfGaps` names. */
export async function exportCarf(call: CallOf<typeof exporting>): Promise<Response> {
  const { body, nowMs, actor } = call
  await call.commit({
    audit: [{ action: 'carf.exported', subject: actor.id, detail: { year: body.year } }],
  })
  const header: CarfHeader = {
    ...body,
    messageId: newId(),
    documentId: newId(),
    timestamp: toIso(nowMs),
    isTest: site.mode === 'simulated',
  }
  return new Response(streamText(writeReport(call, header), call.requestId), {
    headers: {
      'Content-Type': 'application/xml; charset=utf-8',
      'Content-Disposition': `attachment; filename="${site.slug}-carf-${body.year}.xml"`,
      'Cache-Control': 'no-store',
    },
  })
}

async function* writeReport(
  { db, env }: Pick<CallOf<typeof exporting>, 'db' | 'env'>,
  header: CarfHeader,
): AsyncGenerator<string> {
  let hasData = false
  for await (const people of listReportable(db, header.year)) {
    if (people.length === 0) continue
    if (!hasData) yield startCarf(header, 'CARF701')
    hasData = true
    const coins = await loadCoins(db, people, header.year)
    for (const { id, country, sealed, bornOn } of people) {
      if (sealed === null || bornOn === null) continue
      const details = await openTaxDetails(env, { investor: id, sealed })
      yield formatCarfPerson(header, {
        ...{ documentId: newId(), details, bornOn, coins: coins.get(id) ?? [] },
        country: findCountryCode(country) ?? details.country,
      })
    }
  }
  if (!hasData) yield startCarf(header, 'CARF703')
  yield END_OF_CARF
}

interface ReportablePerson {
  readonly seq: number
  readonly id: string
  readonly name: string
  readonly country: string
  readonly sealed: string | null
  readonly bornOn: string | null
}

/** Pages of everybody whose deposit or withdrawal of coins in the year counts, in the order of their registration. */
async function* listReportable(db: Database, year: number): AsyncGenerator<readonly ReportablePerson[]> {
  for (let after = 0; ; ) {
    const [people] = await readTogether(
      db,
      buildQuery<ReportablePerson>(sql`
        SELECT u.seq, u.id, u.display_name AS name, u.country, t.sealed,
          (SELECT born_on FROM kyc_submissions WHERE user_id = u.id AND status = 'approved' AND born_on IS NOT NULL
           ORDER BY seq DESC LIMIT 1) AS bornOn
        FROM users u LEFT JOIN tax_details t ON t.investor = u.id
        WHERE u.seq > ${after} AND u.role = 'investor' AND EXISTS (
          SELECT 1 FROM (${selectMovements(year)}) m WHERE m.investor = u.id)
        ORDER BY u.seq LIMIT ${PAGE}`),
    )
    yield people
    const last = people.at(-1)
    if (last === undefined || people.length < PAGE) return
    after = last.seq
  }
}

/** The coins of each person of a page. */
async function loadCoins(
  db: Database,
  people: readonly ReportablePerson[],
  year: number,
): Promise<ReadonlyMap<string, CarfCoin[]>> {
  const ids = JSON.stringify(people.map(({ id }) => id))
  const [totals] = await readTogether(
    db,
    buildQuery<CoinTotal>(sql`
      SELECT p.value AS investor, m.asset, m.code, count(*) AS transactions, sum(m.cents) AS cents,
        CAST(sum(abs(m.quantity)) AS TEXT) AS units
      FROM json_each(${ids}) p JOIN (${selectMovements(year)}) m ON m.investor = p.value
      GROUP BY 1, 2, 3 ORDER BY 2`),
  )
  const coins = new Map<string, CarfCoin[]>()
  for (const { investor, asset, code, transactions, cents, units } of totals) {
    const list = coins.get(investor) ?? []
    const symbol = COIN_SYMBOLS[asset]
    const coin = list.find((known) => known.symbol === symbol) ?? { symbol, paidIn: null, paidOut: null }
    const total = { transactions, cents, quantity: formatQuantity(asset as Asset, BigInt(units)) }
    const changed = code === 'in' ? { ...coin, paidIn: total } : { ...coin, paidOut: total }
    coins.set(investor, [...list.filter((known) => known !== coin), changed])
  }
  return coins
}

interface CoinTotal {
  readonly investor: string
  readonly asset: Coin
  readonly code: 'in' | 'out'
  readonly transactions: number
  readonly cents: number
  readonly units: string
}

/** SQL: coins of the deposits and withdrawals of a year (UTC) that were not reversed. */
function selectMovements(year: number) {
  return sql`
    SELECT r.investor, c.asset, c.code, c.quantity, r.amount AS cents
    FROM requests r JOIN custody_entries c ON c.ref = r.id AND c.code IN ('in', 'out')
    WHERE r.status IN ('approved', 'completed') AND c.asset <> 'usd'
      AND c.at >= ${Date.UTC(year, 0, 1)} AND c.at < ${Date.UTC(year + 1, 0, 1)}`
}

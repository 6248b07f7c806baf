import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type Database, parseStored, readTogether, selectRows, selectValues } from '../../lib/database.ts'
import {
  type Finding,
  findInBonuses,
  findInBooks,
  findInCheckpoints,
  findInPools,
  findInPositions,
  findInRequests,
  findInTransfers,
} from './findings.ts'
import { compareCustody, NO_CUSTODY, readCustody } from './recent.ts'
import { findInDefinitions, findInRecords, readDefinitions, readRecords } from './record.ts'
import type { CheckResult } from './run.ts'

const PAGES_A_RUN = 10
const OWNERS_A_PAGE = 250
const ROWS_A_PAGE = 2_500
/** Each has up to 100 entries. */
const CHECKPOINTS_A_PAGE = 1_000
const MOST_FINDINGS = 10

/** The position of the scan: it goes through books, requests, transfers, checkpoints and strategy records in turn, from `after` on. */
const scanPosition = z.object({
  stage: z.enum(['books', 'requests', 'transfers', 'checkpoints', 'records']),
  after: z.union([z.string(), z.number()]),
  findings: z.array(z.string()),
})
type Scan = z.output<typeof scanPosition>

/** Owner, time and number of a checkpoint of balances. */
const checkpointPlace = z.tuple([z.string(), z.number(), z.number()])

const START: Scan = { stage: 'books', after: '', findings: [] }

/** Checks all records, a few pages a run, so that old tampering is found too. The checkpoint is empty once the scan is complete. */
export async function checkAll(db: Database, stored: string | null): Promise<CheckResult> {
  let scan: Scan | null = stored ? parseStored(scanPosition, stored) : START
  let { findings } = scan
  if (scan === START) findings = await findOnce(db)
  for (let page = 0; page < PAGES_A_RUN && scan !== null; page++) {
    const [next, found]: readonly [Scan | null, readonly string[]] = await readPage(db, scan)
    findings = [...findings, ...found].slice(0, MOST_FINDINGS)
    scan = next
  }
  return { findings, checkpoint: scan === null ? '' : JSON.stringify({ ...scan, findings }) }
}

// Checks that are small, or that the database sums in one query.
async function findOnce(db: Database): Promise<string[]> {
  const [custody, definitions, ...others] = await readTogether(
    db,
    readCustody(NO_CUSTODY),
    readDefinitions(),
    ...findInBonuses(0),
    ...findInPools(),
  )
  return [
    ...compareCustody(NO_CUSTODY, custody).findings,
    ...(await findInDefinitions(definitions)),
    ...listFindingTexts(others),
  ]
}

async function readPage(db: Database, scan: Scan): Promise<readonly [Scan | null, readonly string[]]> {
  switch (scan.stage) {
    case 'books': {
      const page = sql`SELECT DISTINCT owner FROM accounts WHERE owner > ${scan.after} ORDER BY owner LIMIT ${OWNERS_A_PAGE}`
      const last = selectRows({ last: sql<string | null>`max(owner)` }).from(sql`(${page})`)
      const [reached, ...found] = await readTogether(db, last, ...findInBooks(page), ...findInPositions(page))
      return [getNextScan(scan, reached[0]?.last, { stage: 'requests', after: 0 }), listFindingTexts(found)]
    }
    case 'requests': {
      const selectScanRequests = (column: SQL) =>
        sql`SELECT ${column} FROM requests WHERE seq > ${scan.after} ORDER BY seq LIMIT ${ROWS_A_PAGE}`
      const last = selectRows({ last: sql<number | null>`max(seq)` }).from(
        sql`(${selectScanRequests(sql`seq`)})`,
      )
      const [reached, ...found] = await readTogether(db, last, ...findInRequests(selectScanRequests(sql`id`)))
      return [getNextScan(scan, reached[0]?.last, { stage: 'transfers', after: 0 }), listFindingTexts(found)]
    }
    case 'transfers': {
      const from = Number(scan.after)
      const to = sql`(SELECT coalesce(max(seq), ${from}) FROM (
        SELECT seq FROM transfers WHERE seq > ${from} ORDER BY seq LIMIT ${ROWS_A_PAGE}))`
      const last = selectValues({ last: sql<number | null>`nullif(${to}, ${from})` })
      const [reached, ...found] = await readTogether(db, last, ...findInTransfers(from, to))
      return [
        getNextScan(scan, reached[0]?.last, { stage: 'checkpoints', after: '["", 0, 0]' }),
        listFindingTexts(found),
      ]
    }
    case 'checkpoints': {
      const [owner, at, seq] = parseStored(checkpointPlace, String(scan.after))
      const page = sql`SELECT * FROM balance_checkpoints WHERE (owner, at, seq) > (${owner}, ${at}, ${seq})
        ORDER BY owner, at, seq LIMIT ${CHECKPOINTS_A_PAGE}`
      const last = selectRows({ last: sql<string>`json_array(owner, at, seq)` })
        .from(sql`(${page})`)
        .orderBy(sql`owner DESC, at DESC, seq DESC`)
        .limit(1)
      const [reached, ...found] = await readTogether(db, last, ...findInCheckpoints(page))
      return [getNextScan(scan, reached[0]?.last, { stage: 'records', after: '' }), listFindingTexts(found)]
    }
    case 'records': {
      const after = String(scan.after)
      const [page] = await readTogether(db, readRecords(after))
      const { findings, last } = await findInRecords(page, after)
      return [getNextScan(scan, last, null), findings]
    }
  }
}

function getNextScan(
  scan: Scan,
  last: string | number | null | undefined,
  then: Omit<Scan, 'findings'> | null,
): Scan | null {
  if (last !== null && last !== undefined) return { ...scan, after: last }
  return then && { ...then, findings: [] }
}

function listFindingTexts(results: readonly (readonly Finding[])[]): string[] {
  return results.flatMap((rows) => rows.map(({ finding }) => finding))
}

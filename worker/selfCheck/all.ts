import { sql } from 'drizzle-orm'
import { type Database, reading, readTogether } from '../lib/database.ts'
import { compareCustody, NO_CUSTODY, readCustody } from './custody.ts'
import {
  type Finding,
  findInBonuses,
  findInBooks,
  findInPools,
  findInPositions,
  findInRequests,
  findInTransfers,
} from './findings.ts'
import type { Checked } from './run.ts'

const PAGES_A_RUN = 10
const OWNERS_A_PAGE = 100
const ROWS_A_PAGE = 1_000
const MOST_FINDINGS = 10

/** Where the scan is: it goes through books, requests and transfers in turn, from `after` on. */
interface Scan {
  readonly stage: 'books' | 'requests' | 'transfers'
  readonly after: string | number
  readonly findings: readonly string[]
}

const START: Scan = { stage: 'books', after: '', findings: [] }

/**
 * Checks everything there is, some pages a run: what was tampered with long ago is found too. The checkpoint is empty once
 * it is through.
 */
export async function checkAll(db: Database, stored: string | null): Promise<Checked> {
  let scan: Scan | null = stored === null || stored === '' ? START : (JSON.parse(stored) as Scan)
  let findings: readonly string[] = scan.findings
  if (scan === START) findings = await findOnce(db)
  for (let page = 0; page < PAGES_A_RUN && scan !== null; page++) {
    const [next, found]: readonly [Scan | null, readonly string[]] = await readPage(db, scan)
    findings = [...findings, ...found].slice(0, MOST_FINDINGS)
    scan = next
  }
  return { findings, checkpoint: scan === null ? '' : JSON.stringify({ ...scan, findings }) }
}

// What is small or summed up by the database in one go.
async function findOnce(db: Database): Promise<string[]> {
  const [custody, ...others] = await readTogether(
    db,
    readCustody(NO_CUSTODY),
    ...findInBonuses(0),
    ...findInPools(),
  )
  return [...compareCustody(NO_CUSTODY, custody).findings, ...textsOf(others)]
}

async function readPage(db: Database, scan: Scan): Promise<readonly [Scan | null, readonly string[]]> {
  switch (scan.stage) {
    case 'books': {
      const page = sql`SELECT DISTINCT owner FROM accounts WHERE owner > ${scan.after} ORDER BY owner LIMIT ${OWNERS_A_PAGE}`
      const last = reading<{ last: string | null }>(sql`SELECT max(owner) AS last FROM (${page})`)
      const [reached, ...found] = await readTogether(db, last, ...findInBooks(page), ...findInPositions(page))
      return [
        following(scan, reached[0]?.last, { stage: 'requests', after: 0, findings: [] }),
        textsOf(found),
      ]
    }
    case 'requests': {
      const page = sql`SELECT id FROM requests WHERE seq > ${scan.after} ORDER BY seq LIMIT ${ROWS_A_PAGE}`
      const last = reading<{ last: number | null }>(
        sql`SELECT max(seq) AS last FROM (SELECT seq FROM requests WHERE seq > ${scan.after} ORDER BY seq LIMIT ${ROWS_A_PAGE})`,
      )
      const [reached, ...found] = await readTogether(db, last, ...findInRequests(page))
      return [
        following(scan, reached[0]?.last, { stage: 'transfers', after: 0, findings: [] }),
        textsOf(found),
      ]
    }
    case 'transfers': {
      const from = Number(scan.after)
      const to = sql`(SELECT coalesce(max(seq), ${from}) FROM (
        SELECT seq FROM transfers WHERE seq > ${from} ORDER BY seq LIMIT ${ROWS_A_PAGE}))`
      const last = reading<{ last: number | null }>(sql`SELECT nullif(${to}, ${from}) AS last`)
      const [reached, ...found] = await readTogether(db, last, ...findInTransfers(from, to))
      return [following(scan, reached[0]?.last, null), textsOf(found)]
    }
  }
}

function following(scan: Scan, last: string | number | null | undefined, then: Scan | null): Scan | null {
  return last === null || last === undefined ? then : { ...scan, after: last }
}

function textsOf(results: readonly (readonly Finding[])[]): string[] {
  return results.flatMap((rows) => rows.map(({ finding }) => finding))
}

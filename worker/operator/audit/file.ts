import { site } from '../../../src/site.ts'
import type { ActorCall } from '../../lib/call.ts'
import { iso, type Position } from '../../lib/paging.ts'
import { streamText } from '../../lib/streamText.ts'
import { field } from '../../statements/csv.ts'
import type { AuditRow } from './chain.ts'

const PAGE = 1000
const HEADER = ['Number', 'Id', 'Time (UTC)', 'Actor', 'Action', 'Subject', 'Detail']

/**
 * The audit log as CSV (RFC 4180), newest first, with everything that its seal is made of. What a spreadsheet would
 * take for a formula is kept from being one. `read` gives so many rows before a position.
 */
export function auditFile(
  { nowMs, requestId }: ActorCall,
  read: (below: Position | null, rows: number) => Promise<readonly AuditRow[]>,
): Response {
  const name = `${site.brand.toLowerCase()}-audit-log-${iso(nowMs).slice(0, 10)}.csv`
  return new Response(streamText(lines(read), requestId), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
    },
  })
}

async function* lines(
  read: (below: Position | null, rows: number) => Promise<readonly AuditRow[]>,
): AsyncGenerator<string> {
  yield line(HEADER)
  for (let below: Position | null = null; ; ) {
    const rows = await read(below, PAGE)
    yield rows
      .map(({ seq, id, at, actor, action, subject, detail }) =>
        line([String(seq), id, iso(at), actor, action, subject, detail]),
      )
      .join('')
    below = rows.at(-1) ?? null
    if (below === null || rows.length < PAGE) return
  }
}

function line(fields: readonly string[]): string {
  return `${fields.map(field).join(',')}\r\n`
}

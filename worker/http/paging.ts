import { refuseField } from '../lib/errors.ts'
import type { Call } from './call.ts'

/** The end of a page: the sort key (epoch milliseconds, or 0 if only the sequence sorts) and the sequence. */
export interface Position {
  readonly at: number
  readonly seq: number
}

const CURSOR = /^(([0-9a-z]{1,10})-([0-9a-z]{1,11}))-([0-9a-z]{1,7})$/

/** Parses a cursor; null for the first page. Refuses a cursor that we did not issue. */
export function openCursor(cursor: string | undefined): Position | null {
  assertCursor(cursor)
  return parseCursor(cursor)
}

/** Refuses a cursor that we did not issue. */
export function assertCursor(cursor: string | undefined): void {
  if (cursor !== undefined && parseCursor(cursor) === null)
    refuseField('cursor', 'That cursor is not one of ours')
}

/** Parses a cursor; null for the first page, or if we did not issue it. */
export function parseCursor(cursor = ''): Position | null {
  const [, position = '', at = '', seq = '', check] = CURSOR.exec(cursor) ?? []
  if (check !== computeChecksum(position)) return null
  return { at: Number.parseInt(at, 36), seq: Number.parseInt(seq, 36) }
}

/**
 * Cuts a page out of `limit + 1` rows and links the next one in `Link`. Pages start at a position, not at a count, so rows that
 * arrive meanwhile are neither skipped nor repeated.
 */
export function takePage<T>(
  call: Call,
  rows: readonly T[],
  limit: number,
  positionOf: (row: T) => Position,
): { rows: readonly T[]; headers: Record<string, string> } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  if (rows.length <= limit || last === undefined) return { rows: page, headers: {} }
  const { at, seq } = positionOf(last)
  const next = new URL(call.request.url)
  const cursor = `${at.toString(36)}-${seq.toString(36)}`
  next.searchParams.set('cursor', `${cursor}-${computeChecksum(cursor)}`)
  return { rows: page, headers: { Link: `<${next.pathname}${next.search}>; rel="next"` } }
}

// 32-bit FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv): detects truncated and invented cursors. It protects no secret.
function computeChecksum(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(36)
}

/** Epoch milliseconds in the API's time format. */
export function toIso(atMs: number): string {
  return new Date(atMs).toISOString()
}

export function toIsoOrNull(atMs: number | null): string | null {
  return atMs === null ? null : toIso(atMs)
}

import { formatDay } from '../../../contract/dates.ts'
import type { RecordEntry, StrategyDetail } from '../../../contract/investing/strategies.ts'
import {
  findFirstBrokenIndex,
  hashDefinition,
  toCanonicalJson,
} from '../../../contract/investing/strategyRecord.ts'
import { count } from './figures.ts'

/** A strategy and all of its valuations, oldest first. */
export interface FetchedRecord {
  readonly detail: StrategyDetail
  readonly record: readonly RecordEntry[]
}

/** The result of verifying a record's hashes. */
export type Verdict =
  /** The rules do not match the published hash. */
  | { readonly is: 'otherRules' }
  | { readonly is: 'empty' }
  | { readonly is: 'chain' }
  /** `entry` is the first valuation that does not follow from the previous one; `before` counts the valid ones. */
  | { readonly is: 'broken'; readonly entry: RecordEntry; readonly before: number }

export async function verifyRecord({ detail, record }: FetchedRecord): Promise<Verdict> {
  if ((await hashDefinition(detail.definition)) !== detail.hash) return { is: 'otherRules' }
  const place = await findFirstBrokenIndex(detail.definition, record)
  const entry = place === null ? undefined : record[place]
  if (place !== null && entry !== undefined) return { is: 'broken', entry, before: place }
  return { is: record.length === 0 ? 'empty' : 'chain' }
}

export function describeVerdict(
  verdict: Verdict,
  record: readonly RecordEntry[],
): { title: string; text: string } {
  switch (verdict.is) {
    case 'otherRules':
      return {
        title: 'The rules differ from the frozen rules',
        text: `The rules from the server do not match the hash from the server. ${SUPPORT}`,
      }
    case 'empty':
      return {
        title: 'Nothing is recorded yet',
        text: 'Your browser has just computed the hash of the frozen rules, and it matches. The first valuation will continue from it.',
      }
    case 'chain': {
      const [first = '', last = ''] = [record[0], record.at(-1)].map((entry) => entry && formatDay(entry.day))
      const many =
        record.length === 1
          ? `The only valuation, of ${first}, follows from the frozen rules`
          : `All ${count(record.length)} valuations from ${first} to ${last} form one chain from the frozen rules`
      return {
        title: 'The record is consistent',
        text: `${many}. Your browser has just computed it.`,
      }
    }
    case 'broken': {
      const { entry, before } = verdict
      return {
        title: `The record breaks on ${formatDay(entry.day)}`,
        text: `The valuation at the ${entry.kind} of ${formatDay(entry.day)} does not follow from the one before it. Either it or an earlier one was changed after it was recorded. ${describeValidBefore(before)}. The later ones prove nothing. Your browser has just computed this. ${SUPPORT}`,
      }
    }
  }
}

const SUPPORT = 'Check it again. If the result is the same, save a copy and write to support.'

function describeValidBefore(before: number): string {
  if (before === 0) return 'It is the first valuation'
  return before === 1 ? 'The one before it is valid' : `The ${count(before)} before it are valid`
}

/** Mentions the valuations that the record marks as late. */
export function describeLateValuations(record: readonly { readonly late: boolean }[]): string {
  const late = record.filter((entry) => entry.late).length
  if (late === 0) return ''
  return `${count(late)} of them ${late === 1 ? 'was' : 'were'} recorded more than two days late.`
}

/** Whether a page describes the frozen rules. */
export function isSameDefinition(definition: unknown, onPage: string): boolean {
  return toCanonicalJson(definition) === toCanonicalJson(JSON.parse(onPage))
}

/** Whether the record contains a hash that the visitor noted earlier. Blank while the input is blank. */
export function describeNotedHash(input: string, record: readonly RecordEntry[]): string {
  const hash = input.trim().toLowerCase()
  if (hash === '') return ''
  if (!/^[0-9a-f]{64}$/.test(hash)) return 'A hash has 64 characters, from 0 to 9 and from a to f.'
  const entry = record.find((valuation) => valuation.hash === hash)
  return entry === undefined
    ? 'No valuation has this hash. If you noted it from this record, the record has changed since.'
    : `This is the hash of the ${entry.kind} of ${formatDay(entry.day)}. Up to that valuation, the record is unchanged since you noted it.`
}

import type { OwnProof } from '../../../contract/money/liabilities.ts'

/** Each level of a tree adds about a hundred characters, so no proof is longer. */
const LONGEST = 50_000

/** The proof in a saved text, or null if it has none. Does not check what it proves. */
export function readProof(text: string): OwnProof | null {
  if (text.length > LONGEST) return null
  try {
    const proof: unknown = JSON.parse(text)
    return isProof(proof) ? proof : null
  } catch {
    return null
  }
}

/** The file name of a saved proof. */
export function fileNameOf({ day }: OwnProof): string {
  return `liability-proof-${day}.json`
}

function isProof(value: unknown): value is OwnProof {
  return (
    isRecord(value) &&
    isText(value.day, /^\d{4}-\d{2}-\d{2}$/) &&
    isText(value.at, /^\d{4}-\d{2}-\d{2}T[\d:.]{5,12}Z$/) &&
    isText(value.root, HASH) &&
    isCount(value.investors) &&
    isCount(value.totalCents) &&
    isRecord(value.leaf) &&
    isText(value.leaf.salt, HASH) &&
    isText(value.leaf.investor, /^[\w-]{1,100}$/) &&
    isCount(value.leaf.balanceCents) &&
    isCount(value.index) &&
    Array.isArray(value.path) &&
    value.path.every((node) => isRecord(node) && isText(node.hash, HASH) && isCount(node.sumCents))
  )
}

const HASH = /^[0-9a-f]{64}$/

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isText(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && form.test(value)
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

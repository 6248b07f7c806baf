import { formatDateTime, formatDay } from '../../../contract/dates.ts'
import type { OwnProof, PublishedRoot } from '../../../contract/money/liabilities.ts'
import { computePathToRoot, type LiabilityPath } from '../../../contract/money/liabilityTree.ts'
import { formatCents } from '../../../contract/money.ts'

/**
 * The result of checking a proof. `other`: its root differs from the one published for its day. `broken`: it has no root.
 * `unpublished`: no root was published for its day. `uncompared`: the published root could not be loaded.
 */
export type Verdict =
  | { is: 'included' | 'other'; way: LiabilityPath; published: PublishedRoot }
  | { is: 'unpublished' | 'uncompared'; way: LiabilityPath }
  | { is: 'broken' }

/**
 * Computes a proof's root and compares it with the published one, never with the root that the proof contains. `published` is null
 * if no root was published, and undefined if it could not be loaded.
 */
export async function verifyOwnProof(
  proof: OwnProof,
  published: PublishedRoot | null | undefined,
): Promise<Verdict> {
  const { leaf, index, path } = proof
  const way = await computePathToRoot(
    {
      leaf: { salt: leaf.salt, investor: leaf.investor, balance: leaf.balanceCents },
      index,
      path: path.map(({ hash, sumCents }) => ({ hash, sum: sumCents })),
    },
    published?.investors ?? proof.investors,
  )
  if (way === null) return { is: 'broken' }
  if (!published) return { is: published === null ? 'unpublished' : 'uncompared', way }
  const isSame = way.root === published.root && way.total === published.totalCents
  return { is: isSame && published.day === proof.day ? 'included' : 'other', way, published }
}

export interface Line {
  readonly says: string
  readonly values: Readonly<Record<string, string>>
}

interface VerdictWords {
  readonly title: string
  readonly says: string
  readonly todo: string | null
}

export function describeVerdict(verdict: Verdict, proof: OwnProof): VerdictWords {
  const { at, leaf } = proof
  const day = formatDay(proof.day)
  const balance = formatCents(leaf.balanceCents)
  switch (verdict.is) {
    case 'included': {
      const { investors, totalCents } = verdict.published
      return {
        title: 'Included',
        says: `Your ${balance}, as of ${formatDateTime(at, 'both', 'UTC')} UTC, is in the published ${formatCents(totalCents)} that we owe to ${investors} investors. Your statement shows whether your balance was ${balance} at that moment. If it was not, write to support.`,
        todo: null,
      }
    }
    case 'other':
      return {
        title: 'Not included',
        says: `This proof does not lead to the root published for ${day}, so it does not show that your balance is included.`,
        todo: describeNextStep(proof, verdict.way.root),
      }
    case 'broken':
      return {
        title: 'Not included',
        says: `This proof does not lead to any root, because parts are missing or extra. It does not show that your balance is included for ${day}.`,
        todo: describeNextStep(proof, ''),
      }
    case 'unpublished':
      return {
        title: 'Not published',
        says: `This proof is for ${day}, and nothing is published for that day.`,
        todo: describeNextStep(proof, verdict.way.root),
      }
    case 'uncompared':
      return {
        title: 'Not compared yet',
        says: `The proof adds up to ${formatCents(verdict.way.total)} over ${proof.investors} investors. The root published for ${day} could not be loaded, so the two were not compared. Check again once you are online.`,
        todo: null,
      }
  }
}

function describeNextStep({ day }: OwnProof, root: string): string {
  const reference = ['LIA', day, root.slice(0, 8)].filter((part) => part !== '').join('-')
  return `If the file may be damaged, save a new proof from this page. If the result is the same, keep the proof and write to support with the reference ${reference}. Do not send the proof itself until we ask for it.`
}

/** Each step from the leaf to the root, and the published root. */
export function listProofLines(verdict: Verdict, { leaf, index, investors, day }: OwnProof): Line[] {
  if (verdict.is === 'broken') return []
  const { way } = verdict
  const published = 'published' in verdict ? verdict.published : null
  const count = published?.investors ?? investors
  return [
    {
      says: `Your leaf: ${formatCents(leaf.balanceCents)}, in place ${index + 1} of ${count}.`,
      values: { Salt: leaf.salt, Account: leaf.investor, Hash: way.leaf.hash },
    },
    ...way.steps.map(({ beside, side, node }): Line => {
      if (beside === null) return { says: 'No neighbour: the node moves up unchanged.', values: {} }
      return {
        says: `Add the ${side} neighbour, ${formatCents(beside.sum)}: ${formatCents(node.sum)}.`,
        values: { Neighbour: beside.hash, Hash: node.hash },
      }
    }),
    { says: `The root, over ${count} investors and ${formatCents(way.total)}.`, values: { Root: way.root } },
    ...(published === null
      ? []
      : [
          {
            says: `Published for ${formatDay(day)}, over ${published.investors} investors and ${formatCents(published.totalCents)}. It is ${verdict.is === 'included' ? 'the same' : 'different'}.`,
            values: { Root: published.root },
          },
        ]),
  ]
}

/** In characters. Each level of the tree adds about a hundred, so no real proof is longer. */
const LONGEST = 50_000

/** Parses a saved proof; null if it is malformed. Does not verify it. */
export function readProof(text: string): OwnProof | null {
  if (text.length > LONGEST) return null
  try {
    const proof: unknown = JSON.parse(text)
    return isProof(proof) ? proof : null
  } catch {
    return null
  }
}

export function getProofFileName({ day }: OwnProof): string {
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

import type { OperatorKyc } from '../../../contract/console/kyc.ts'
import type { ReviewerKey } from '../../../contract/console/reviewerKeys.ts'
import type { Recipient } from '../../../contract/identity/kyc.ts'
import { ApiFailure, describeFailure } from '../../lib/ApiFailure.ts'

/** A document that is not sealed to today's keys. */
export type OutdatedDocument = Pick<OperatorKyc, '_id' | 'ref' | 'sealedTo'>

export interface Resealer {
  identityFor: (fingerprints: readonly string[]) => string | null
  /** Loads today's keys. */
  load: () => Promise<readonly Recipient[]>
  fetch: (id: string) => Promise<Uint8Array>
  reseal: (age: Uint8Array, identity: string, recipients: readonly string[]) => Promise<Uint8Array>
  put: (id: string, age: Uint8Array, recipients: readonly Recipient[]) => Promise<unknown>
}

export interface ResealResult {
  done: number
  failed: readonly { ref: string; msg: string }[]
}

/**
 * Reseals documents to today's keys, one by one. A failure is reported and does not stop the others. If the keys change
 * meanwhile, loads them again. `onProgress` receives the number of documents done.
 */
export async function resealAll(
  documents: readonly OutdatedDocument[],
  resealer: Resealer,
  onProgress: (count: number) => void,
): Promise<ResealResult> {
  let recipients = await resealer.load()
  const failed: { ref: string; msg: string }[] = []
  for (const [index, document] of documents.entries()) {
    onProgress(index)
    try {
      recipients = await resealOne(document, recipients, resealer)
    } catch (error) {
      failed.push({ ref: document.ref, msg: describeFailure(error) })
    }
  }
  onProgress(documents.length)
  return { done: documents.length - failed.length, failed }
}

/** Reseals one document. Returns the keys that it is now sealed to. */
async function resealOne(
  { _id, sealedTo }: OutdatedDocument,
  current: readonly Recipient[],
  resealer: Resealer,
): Promise<readonly Recipient[]> {
  const identity = resealer.identityFor(sealedTo)
  if (identity === null) throw new ApiFailure(0, { code: 'locked', msg: 'Your key was locked meanwhile.' })
  const age = await resealer.fetch(_id)
  let recipients = current
  for (let attempt = 1; ; attempt++) {
    const keys = recipients.map(({ recipient }) => recipient)
    try {
      await resealer.put(_id, await resealer.reseal(age, identity, keys), recipients)
      return recipients
    } catch (failure) {
      const hasChanged = failure instanceof ApiFailure && failure.code === 'recipients_changed'
      if (!hasChanged || attempt === ATTEMPTS) throw failure
      recipients = await resealer.load()
    }
  }
}

const ATTEMPTS = 3

export interface Plan {
  /** The documents that the operator's keys open. */
  mine: readonly OutdatedDocument[]
  /** The number of documents that only a colleague can reseal. */
  others: number
  /** The operator's keys that are required, the active key first. */
  keys: readonly ReviewerKey[]
}

/** The documents that the operator can reseal, and the fewest keys required, because each key has its own passphrase. */
export function planReseal(documents: readonly OutdatedDocument[], own: readonly ReviewerKey[]): Plan {
  const ordered = own.toSorted((a, b) => Number(b.status === 'active') - Number(a.status === 'active'))
  const keys: ReviewerKey[] = []
  const mine = documents.filter(({ sealedTo }) => {
    const fitting = ordered.filter(({ fingerprint }) => sealedTo.includes(fingerprint))
    const [first] = fitting
    if (first === undefined) return false
    if (!fitting.some((key) => keys.includes(key))) keys.push(first)
    return true
  })
  return { mine, others: documents.length - mine.length, keys }
}

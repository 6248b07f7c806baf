import type { ApiFailure } from './ApiFailure.ts'

/** A fresh `Idempotency-Key`. */
export function newIdempotencyKey(): string {
  return crypto.randomUUID()
}

/** A submission whose outcome is unknown, with the key under which it is repeated. */
export interface OpenSubmission {
  readonly content: string
  readonly key: string
}

export interface SubmissionKeys {
  /** The key for sending this content, the same one again while it is not known what became of it. */
  keyFor(content: string): string
  /** Tells what became of it: null for success. */
  settle(failure: ApiFailure | null): void
}

/**
 * The keys of one form. A submission whose outcome is unknown is repeated under its own key, so that it cannot be done
 * twice; after an answer, or with other content, it is a new submission. `before` is one that was open when the page was
 * left, and `onOpen` hears of each that is sent, and that it was markReachable.
 */
export function submissionKeys(
  before?: OpenSubmission,
  onOpen?: (open: OpenSubmission | undefined) => void,
): SubmissionKeys {
  let open = before
  return {
    keyFor(content) {
      if (open?.content !== content) open = { content, key: newIdempotencyKey() }
      onOpen?.(open)
      return open.key
    },
    settle(failure) {
      if (failure !== null && !isAnswered(failure)) return
      onOpen?.(undefined)
      if (!PROVING.includes(failure?.code ?? '')) open = undefined
    },
  }
}

function isAnswered({ status, code }: ApiFailure): boolean {
  return status !== 0 && status < 500 && code !== 'idempotency_in_progress'
}

// Waiting for the right code, which is no part of what is asked for: the same submission goes on.
const PROVING = ['step_up_required', 'invalid_code', 'too_many_codes']

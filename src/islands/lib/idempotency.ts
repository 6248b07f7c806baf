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
 * left, and `onOpen` hears of each that opens and is answered.
 */
export function submissionKeys(
  before?: OpenSubmission,
  onOpen?: (open: OpenSubmission | undefined) => void,
): SubmissionKeys {
  let open = before
  return {
    keyFor(content) {
      if (open?.content !== content) {
        open = { content, key: newIdempotencyKey() }
        onOpen?.(open)
      }
      return open.key
    },
    settle(failure) {
      if (failure !== null && !isAnswered(failure)) return
      open = undefined
      onOpen?.(open)
    },
  }
}

function isAnswered({ status, code }: ApiFailure): boolean {
  return status !== 0 && status < 500 && !OPEN.includes(code)
}

// Still running, or waiting for the right code: a code is no part of what is asked for.
const OPEN = ['idempotency_in_progress', 'step_up_required', 'invalid_code']

import type { ApiFailure } from './ApiFailure.ts'

/** A fresh `Idempotency-Key`. */
export function newIdempotencyKey(): string {
  return crypto.randomUUID()
}

export interface SubmissionKeys {
  /** The key for sending this content, the same one again while it is not known what became of it. */
  keyFor(content: string): string
  /** Tells what became of it: null for success. */
  settle(failure: ApiFailure | null): void
}

/**
 * The keys of one form. A submission whose outcome is unknown is repeated under its own key, so that it cannot be done
 * twice; after an answer, or with other content, it is a new submission.
 */
export function submissionKeys(): SubmissionKeys {
  let open: { content: string; key: string } | null = null
  return {
    keyFor(content) {
      if (open?.content !== content) open = { content, key: newIdempotencyKey() }
      return open.key
    },
    settle(failure) {
      if (failure === null || isAnswered(failure)) open = null
    },
  }
}

function isAnswered({ status, code }: ApiFailure): boolean {
  return status !== 0 && status < 500 && !OPEN.includes(code)
}

// Still running, or waiting for the right code: a code is no part of what is asked for.
const OPEN = ['idempotency_in_progress', 'step_up_required', 'invalid_code']

import type { ApiFailure } from './ApiFailure.ts'

export function newIdempotencyKey(): string {
  return crypto.randomUUID()
}

/** A submission whose outcome is unknown, and the key to repeat it with. */
export interface OpenSubmission {
  readonly content: string
  readonly key: string
}

export interface SubmissionKeys {
  /** The key to send this content with: the same key while the outcome is unknown. */
  keyFor(content: string): string
  /** Reports the outcome: null for success. */
  settle(failure: ApiFailure | null): void
}

/**
 * The idempotency keys of one form. A submission whose outcome is unknown is repeated with the same key, so that it cannot
 * be executed twice. After an answer, or with other content, it is a new submission. `before` is a submission that was open
 * when the page was left. `onOpen` receives each submission when it is sent, and undefined once it is answered.
 */
export function createSubmissionKeys(
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
      if (!PROOF_REFUSALS.includes(failure?.code ?? '')) open = undefined
    },
  }
}

function isAnswered({ status, code }: ApiFailure): boolean {
  return status !== 0 && status < 500 && code !== 'idempotency_in_progress'
}

// The server waits for the right code. The code is not part of the content, so the submission continues.
const PROOF_REFUSALS = ['step_up_required', 'invalid_code', 'too_many_codes']

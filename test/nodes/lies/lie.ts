import type { ServerResponse } from 'node:http'

export interface Question {
  readonly path: string
  readonly body: string
}

export interface Answer {
  readonly status: number
  readonly body: string
}

/** What a dishonest server does with a call. Each part is optional. */
export interface Lie {
  /** Answers without asking the node. */
  readonly instead?: (response: ServerResponse) => void
  /** Changes the path and the body before they go to the node. */
  readonly question?: (text: string) => string
  /** Changes what the node answered. */
  readonly answer?: (question: Question, answer: Answer) => Answer
}

/** Everywhere in answers, `shown` stands for `real`. Questions about `shown` are answered as those about `real`. */
export function swapped(
  real: string,
  shown: string,
  also: (question: Question, answer: Answer) => Answer = (_, answer) => answer,
): Lie {
  return {
    question: (text) => text.replaceAll(shown, real),
    answer: (question, answer) => {
      const changed = also(question, answer)
      return { ...changed, body: changed.body.replaceAll(real, shown) }
    },
  }
}

/** 32 random bytes in hex. */
export const randomHash = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')

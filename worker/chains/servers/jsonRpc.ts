import * as z from 'zod/mini'
import { type CallBudget, fetchFromServer, parseJson, ServerFault, Unanswered } from './server.ts'

/** A client of a JSON-RPC server of Ethereum (https://ethereum.org/en/developers/docs/apis/json-rpc/). */
export interface JsonRpc {
  readonly server: string
  /** Sends questions as one call, and answers their results in the same order. */
  ask(questions: readonly Question[]): Promise<unknown[]>
}

export interface Question {
  readonly method: string
  readonly params: readonly unknown[]
}

const answers = z.array(
  z.object({
    id: z.number(),
    result: z.optional(z.unknown()),
    error: z.optional(z.unknown()),
  }),
)

/** One error for all questions, as the specification allows for a batch that a server does not take. */
const refusal = z.object({ error: z.looseObject({}) })

/** Sixteen whole blocks of the main network are about 8 MB. */
const MAX_BYTES = 24 * 1024 * 1024

const REFUSAL = 'refuses what it is asked'

export function createJsonRpc(server: string, budget: CallBudget): JsonRpc {
  return {
    server,
    ask: async (questions) => {
      const body = JSON.stringify(
        questions.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params })),
      )
      const bytes = await fetchFromServer(server, { budget, maxBytes: MAX_BYTES, method: 'POST', body })
      const answer = bytes === null ? null : parseJson(bytes)
      if (refusal.safeParse(answer).success) throw new Unanswered(REFUSAL)
      const parsed = answers.safeParse(answer)
      if (!parsed.success) throw new ServerFault('answers in another form than JSON-RPC')
      const byId = new Map(parsed.data.map((answer) => [answer.id, answer]))
      return questions.map((_question, id) => {
        const answer = byId.get(id)
        if (answer === undefined || answer.error !== undefined || answer.result === undefined)
          throw new Unanswered(REFUSAL)
        return answer.result
      })
    },
  }
}
